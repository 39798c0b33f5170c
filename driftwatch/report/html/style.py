"""How the HTML report looks. Pure."""

from __future__ import annotations

import base64
import hashlib

STYLE = """
:root { color-scheme: light dark;
  --page: #fbfbfa; --card: #ffffff; --ink: #1c1f23; --quiet: #565d66; --line: #d8dbdf; --soft: #f1f2f4;
  --critical: #8f1020; --high: #b3261e; --medium: #8a5200; --low: #0b6170; --info: #4a5560; --good: #1b6b3a;
  --gone: #ffe3e0; --gone-ink: #7d1610; --came: #dcf5e3; --came-ink: #0c4f26; --mark: #ffdf6b;
  --mark-ink: #3d2a00; }
@media (prefers-color-scheme: dark) { :root {
  --page: #14171a; --card: #1c2024; --ink: #e7e9ec; --quiet: #a4acb5; --line: #363c43; --soft: #252a2f;
  --critical: #ff8b95; --high: #ff8f85; --medium: #f2b45c; --low: #6fd0e0; --info: #aab4be; --good: #7fd6a0;
  --gone: #4a1d1b; --gone-ink: #ffc9c3; --came: #143d26; --came-ink: #c4f0d2; --mark: #ffd54a;
  --mark-ink: #2b1e00; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  overflow-wrap: anywhere; }
header, main, footer { max-width: 62rem; margin: 0 auto; padding: 1.25rem; }
header { padding-bottom: 0; } main { padding-top: .5rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: .25rem 0 .75rem; }
h2 { font-size: 1.3rem; margin: 2rem 0 .5rem; } h3 { font-size: 1.05rem; margin: 0; display: inline; }
h4 { font-size: .8rem; margin: 1.1rem 0 .35rem; color: var(--quiet); text-transform: uppercase;
  letter-spacing: .05em; }
p { margin: .4rem 0; } ul { margin: .4rem 0; padding-left: 1.25rem; } li { margin: .2rem 0; }
code, pre, .text { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Noto Sans Mono", monospace;
  font-size: .9em; }
pre { overflow-x: auto; }
code { background: var(--soft); padding: .05em .3em; border-radius: .25rem; }
.quiet { color: var(--quiet); } .small { font-size: .875rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .75rem 0; }
dt { color: var(--quiet); } dd { margin: 0; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; margin: .75rem 0;
  padding: .9rem 1.1rem; }
summary { cursor: pointer; } summary:focus-visible, a:focus-visible { outline: 3px solid var(--low);
  outline-offset: 2px; }
.tag { display: inline-block; border: 1px solid currentColor; border-radius: 1rem; padding: 0 .6rem;
  font-size: .8rem;
  font-weight: 600; line-height: 1.5; margin-right: .35rem; white-space: nowrap; }
.critical { color: var(--critical); } .high { color: var(--high); } .medium { color: var(--medium); }
.low { color: var(--low); } .info { color: var(--info); } .good { color: var(--good); }
.card.critical, .card.high, .card.medium, .card.low { border-left: .3rem solid; }
.card > * { color: var(--ink); } .card .quiet { color: var(--quiet); }
.finding { border-top: 1px solid var(--line); margin-top: .8rem; padding-top: .8rem; }
.text { background: var(--soft); border-radius: .35rem; padding: .6rem .75rem; white-space: pre-wrap;
  margin: 0; }
ins { background: var(--came); color: var(--came-ink); text-decoration: none; border-bottom: 1px solid; }
del { background: var(--gone); color: var(--gone-ink); text-decoration: line-through; }
mark { background: var(--mark); color: var(--mark-ink); font-weight: 600; padding: 0 .1em; }
.hidden-sign { border: 1px solid currentColor; border-radius: .2rem; font-size: .8em; padding: 0 .15em; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .925rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid var(--line);
  overflow-wrap: normal; }
td code { overflow-wrap: anywhere; } thead th { color: var(--quiet); font-weight: 600; } tbody th { font-weight: 500; }
ul.tree { list-style: none; padding-left: 0; } ul.tree ul { list-style: none; padding-left: .9rem;
  border-left: 1px solid var(--line); }
.added > .node { background: var(--came); color: var(--came-ink); } .removed > .node { background: var(--gone);
  color: var(--gone-ink); }
.changed > .node { font-weight: 600; } .node { padding: 0 .3rem; border-radius: .25rem; }
.added > .node code, .removed > .node code { background: none; }
footer { color: var(--quiet); font-size: .875rem; border-top: 1px solid var(--line); margin-top: 2rem; }
@media (max-width: 40rem) { header, main, footer { padding: .9rem; } h1 { font-size: 1.3rem; }
  dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .4rem; } .card { padding: .75rem .8rem; } }
@media print { :root { color-scheme: light; --page: #fff; --card: #fff; --ink: #000; --quiet: #444;
  --line: #bbb; --soft: #f4f4f4;
  --critical: #8f1020; --high: #b3261e; --medium: #8a5200; --low: #0b6170; --info: #4a5560; --good: #1b6b3a;
  --gone: #ffe3e0; --gone-ink: #7d1610; --came: #dcf5e3; --came-ink: #0c4f26; --mark: #ffdf6b;
  --mark-ink: #3d2a00; }
  details::details-content { content-visibility: visible; block-size: auto; }
  .finding, tr { break-inside: avoid; }
  header, main, footer { max-width: none; } }
"""

POLICY = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; "
    f"style-src 'sha256-{base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()}'"
)
"""What a browser may load: the style above, known by its digest, and nothing else."""
