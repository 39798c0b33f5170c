# driftwatch as a container: docs/container.md. Build it from the repository's root: docker build -t driftwatch:0.1.0 .
#
# To pin the base beyond its tag, hand in a digest: --build-arg PYTHON_IMAGE=python@sha256:…
# Any base will do that is Debian with Python 3.11 to 3.13 and its venv module as python3; both stages start from it.
# To fetch packages from an index of your own: --secret id=pip,src=PIP.CONF, and where it has its own certificate
# authority --secret id=pip-ca,src=CA.PEM with "cert = /run/secrets/pip-ca" in that file. Neither stays in the image.
ARG PYTHON_IMAGE=python:3.13-slim-trixie

FROM ${PYTHON_IMAGE} AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_NO_INPUT=1
# Two environments: the build backend stays behind in this stage, and what is run has no pip.
RUN python3 -m venv /opt/build && python3 -m venv --without-pip /opt/driftwatch
WORKDIR /src
COPY requirements.txt requirements-build.txt ./
RUN --mount=type=secret,id=pip,target=/etc/pip.conf --mount=type=secret,id=pip-ca \
    /opt/build/bin/python -m pip install --require-hashes -r requirements-build.txt \
    && /opt/build/bin/python -m pip --python /opt/driftwatch/bin/python install --require-hashes --no-compile \
        -r requirements.txt
COPY pyproject.toml README.md LICENSE ./
COPY driftwatch driftwatch
COPY migrations migrations
COPY docs/driftwatch.1 docs/driftwatch.1
RUN /opt/build/bin/python -m hatchling build -t wheel -d /opt/wheel \
    && /opt/build/bin/python -m pip --python /opt/driftwatch/bin/python install --no-deps --no-index --no-compile \
        /opt/wheel/*.whl
# Compiled once, and never compared with the sources' times: builders round these, and nothing can be compiled anew where
# the file system is read-only, so that each start and each health check would do it again.
RUN /opt/driftwatch/bin/python -m compileall -q -f -j 0 --invalidation-mode unchecked-hash /opt/driftwatch/lib

# What is in the image is written down by a tool that is not in it.
FROM build AS bill
COPY deploy/image/requirements.txt deploy/image/sbom.py /opt/bill/
RUN --mount=type=secret,id=pip,target=/etc/pip.conf --mount=type=secret,id=pip-ca \
    python3 -m venv /opt/bill \
    && /opt/bill/bin/python -m pip install --require-hashes -r /opt/bill/requirements.txt
RUN /opt/bill/bin/python /opt/bill/sbom.py /opt/driftwatch/bin/python pyproject.toml /opt/bill/sbom.cdx.json

FROM ${PYTHON_IMAGE}
# The ids are fixed, so that a volume or a mounted file can be given to them from outside. What installs Python packages,
# and what changes who one is, has no business in what is run.
RUN groupadd --gid 10001 driftwatch \
    && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /var/lib/driftwatch \
        --no-log-init --shell /usr/sbin/nologin driftwatch \
    && install -d -o 10001 -g 10001 -m 0750 /var/lib/driftwatch \
    && install -d -m 0755 /etc/driftwatch \
    && find /usr -xdev \( -path '*/ensurepip' -o -path '*-packages/pip' -o -path '*-packages/pip-*.dist-info' \
        -o -path '/usr/share/python-wheels' -o -path '/usr/local/bin/pip*' -o -path '/usr/bin/pip*' \) \
        -prune -exec rm -rf {} + \
    && find / -xdev -type f -perm /6000 -exec chmod ug-s {} +
COPY --from=build /opt/driftwatch /opt/driftwatch
COPY --from=bill /opt/bill/sbom.cdx.json /usr/share/driftwatch/sbom.cdx.json
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
# Last, so that another revision makes no layer anew.
ARG PYTHON_IMAGE
ARG VERSION=0.1.0
ARG REVISION=""
LABEL org.opencontainers.image.title="driftwatch" \
      org.opencontainers.image.description="Tells people when an MCP server that they approved is no longer the server that they approved." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.base.name="${PYTHON_IMAGE}"
