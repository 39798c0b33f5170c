# driftwatch as a container. Build it from the repository's root: docker build -t driftwatch .
#
# To pin the base beyond its tag, hand in a digest: --build-arg PYTHON_IMAGE=python@sha256:…
# Local (stdio) servers run inside this container: extend the image with the programs that they need (Node, uv, …).
ARG PYTHON_IMAGE=python:3.13-slim-trixie

FROM ${PYTHON_IMAGE} AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_NO_INPUT=1
# Two environments: the build backend stays behind in this stage, and what is run has no pip.
RUN python3 -m venv /opt/build && python3 -m venv --without-pip /opt/driftwatch
WORKDIR /src
COPY requirements.txt requirements-build.txt ./
RUN /opt/build/bin/python -m pip install --require-hashes -r requirements-build.txt \
    && /opt/build/bin/python -m pip --python /opt/driftwatch/bin/python install --require-hashes -r requirements.txt
COPY pyproject.toml README.md LICENSE ./
COPY driftwatch driftwatch
COPY migrations migrations
RUN /opt/build/bin/python -m hatchling build -t wheel -d /opt/wheel \
    && /opt/build/bin/python -m pip --python /opt/driftwatch/bin/python install --no-deps --no-index /opt/wheel/*.whl

FROM ${PYTHON_IMAGE}
ARG VERSION=0.1.0
ARG REVISION=""
LABEL org.opencontainers.image.title="driftwatch" \
      org.opencontainers.image.description="Tells people when an MCP server that they approved is no longer the server that they approved." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# The ids are fixed, so that a volume or a mounted file can be given to them from outside.
RUN groupadd --gid 10001 driftwatch \
    && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /var/lib/driftwatch \
        --no-log-init --shell /usr/sbin/nologin driftwatch \
    && install -d -o 10001 -g 10001 -m 0750 /var/lib/driftwatch \
    && install -d -m 0755 /etc/driftwatch
COPY --from=build /opt/driftwatch /opt/driftwatch
ENV PATH="/opt/driftwatch/bin:${PATH}" \
    HOME=/var/lib/driftwatch \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    DRIFTWATCH_CONFIG=/etc/driftwatch/driftwatch.toml \
    DRIFTWATCH_DATABASE_URL=sqlite:////var/lib/driftwatch/driftwatch.db \
    DRIFTWATCH_LOG_FORMAT=json
USER 10001:10001
WORKDIR /var/lib/driftwatch
VOLUME ["/var/lib/driftwatch"]
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s --retries=3 CMD ["driftwatch", "healthcheck"]
ENTRYPOINT ["driftwatch"]
CMD ["run"]
