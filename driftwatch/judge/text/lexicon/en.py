"""English."""

from __future__ import annotations

from typing import Final

from driftwatch.judge.text.lexicon.read import read

CONCEPTS: Final = read("""
MARK: the, of, and, to, is, are, for, with, this, that, be, it, you, your, from, when, not, or, if, by, an, on, use,
must, should
NOT: not, never, don't, dont, won't, without, avoid, no, mustn't, shouldn't, refrain, needn't, no need to, need not,
nobody
TELL: tell, telling, inform, informing, mention, mentioning, notify, notifying, reveal, revealing, disclose,
disclosing, alert, alerting, show, showing, shown, display, displayed, displaying, say, report, reporting, explain,
explaining, announce, mentioned, disclosed, revealed, surface, surfaced, discuss, acknowledge, narrate, quoted, quote,
paraphrased, let know, make aware, bring up, refer to, describe, reported, communicate, presented, listed, visible,
list, counted, count, named, part of, counted in
REVEAL: mention, mentioning, disclose, disclosing, reveal, revealing, divulge, let on, bring up, acknowledge, narrate,
discuss, quoted, paraphrased, surfaced
USER: user, users, user's, human, humans, customer, customers, operator, end user, end users, person, people,
account holder, requester, caller, reader, them, client, individual
SILENT: silently, secretly, quietly, covertly, discreetly, surreptitiously, invisibly, stealthily, unnoticed,
in secret, without notice, behind the scenes, without drawing attention, under the hood without,
without the user noticing, without their knowledge, without the user's knowledge, keep secret, keep confidential,
keep this confidential, hidden from, hide from, hide this, conceal, concealed, keep it from, keep this from,
keep this to yourself, between us, secret instruction*, keep quiet, not visible to the user, unbeknownst
IGNORE: ignore, ignoring, disregard, disregarding, forget, override, overrides, overriding, bypass, discard, neglect,
overrule, overrules, set aside, drop, abandon, do not follow, stop following, pay no attention to, no longer follow,
do not obey, don't follow
SUPERSEDE: supersede, supersedes, superseded, superseding, take precedence, takes precedence, taking precedence,
have precedence, takes priority, take priority, prevail, prevails, no longer apply, no longer applies,
no longer valid, no longer in force, no longer binding, are void, is void, null and void, are obsolete, outrank,
outranks, replaces all, replace all, replaces any, replaces the, overrides any, overrides all, cannot be overridden,
highest priority, outweighs, wins over, win over, above all other
PRIOR: previous, previously, prior, earlier, above, preceding, existing, past, former, original, initial, other, all,
any, given so far, default, conflicting, current, every
INSTRUCTION: instruction, instructions, rule, rules, guideline, guidelines, directive, directives, guidance, orders,
prompt, prompts, constraint, constraints, restriction, restrictions, guardrail, guardrails, policy, policies,
commands, training, safety rules, programming, what you were told
SYSPROMPT: system prompt, system prompts, system message, developer message, initial prompt, hidden prompt,
system instructions, initial instructions, developer prompt, instructions you were given, instructions you received,
your instructions, your own instructions, your prompt, your configuration, original instructions, operator prompt,
host prompt, text you were started with, full instructions
CONVERSATION: chat so far, user's message, user's messages, user message, user messages, user's last message,
user's original, user's request, user's prompt, full prompt, original prompt, user's exact words, context window,
full context, entire context, session context, chain of thought, your reasoning, your thinking, reasoning trace,
thought process, internal reasoning, everything the user, all the user, what the user said, what the user has,
anything the user, previous tool results, results of previous tool*, output of previous tool*, outputs of other tools,
other tools returned, tool results so far, earlier tool results, memory contents, user has typed, earlier in the chat,
messages so far, thread so far, user's own words, user's input, user's query, user's choice, user's selection,
user's value, what the user entered, user's wording, user's own text, what the user asked
CREDENTIAL: password, passwords, passphrase, api key, api keys, apikey, access key, access keys, secret key,
secret keys, private key, private keys, ssh key, ssh keys, signing key, encryption key*, credential, credentials,
auth token, auth tokens, access tokens, bearer token, refresh token*, session token*, session cookie*, cookies,
seed phrase, recovery phrase, wallet key*, secrets, login details, oauth token*, keychain, client secret,
one time code*, verification code*, cvv, card number*, credit card*, social security number*, environment variables,
ssn, pin code, 2fa code*, kubeconfig, creds, saved tokens, stored tokens, user's tokens
FILES: file, files, file contents, documents, source code, codebase, repository contents, home directory, home folder,
workspace, local files, config file*, configuration file*, directory, folder, env file, dotfile*, shell history,
browser history, clipboard, contacts, address book, screenshot*, spreadsheets, attachments, document, open document
SEND: send, sends, sending, sent, post, posts, posted, posting, upload, uploads, uploading, uploaded, forward,
forwards, forwarded, forwarding, transmit, transmits, transmitted, transmitting, emailed, bcc, submit, submits,
submitted, exfiltrate, exfiltrates, deliver, delivered, share, shared, leak, relay, relayed, mirror, mirrored,
mirrors, copied to, copy to, copies to, report to, reported to, push to, pushed to, beacon, ping, publish, published,
sync to, synced to, replicate, dispatch, ship to, blind copy, carbon copy, write to, log to, make a request to, curl,
hand over, hand to, call home, phone home, email it, email them, email a copy, e mail it, cc to, mail it, mailed to,
cc'd, bcc'd, goes to, go to the address, delivers to, lands at, is copied, hand, hands, handed
READ: read, reading, open, load, cat, retrieve, collect, collects, collecting, gather, gathers, extract, look up,
dump, harvest, grab, obtain, locate, search for, capture, captures, enumerate, pull, fetch, copy, scan, opens, copies,
export, exports, pull out
INCLUDE: include, includes, including, included, pass, passing, passed, append, appends, appended, attach, attached,
attaching, add, added, adding, put, insert, inserted, embed, embedded, fill, provide, provided, supply, supplied,
prepend, encode, encoded, place, paste, pasted, populate, store, write, quote, set to, carry, copy, copied, give,
summarise, summarize, echo, repeat, return, output, goes into, goes in, belongs in, fold, copies, puts, attaches,
passes, writes, adds, notes, placed, placed in, accompanied by, accompanied, enters
PARAM: parameter, parameters, param, argument, arguments, field, sidenote, side note, query string, header, notes,
note, metadata, comment, property, value, payload, input, body, query parameter*
CALL: call, calls, calling, called, invoke, invokes, invoking, invoked, use, using, used, run, running, trigger,
triggers, triggering, execute, pass through, go through, goes through, route, routed, consult
EXEC: execute, executes, executed, run, runs, eval, evaluate, launch, spawn, start, install, reinstall, download,
paste, pipe
COMMAND: command, commands, shell command*, script, scripts, bash, sh, powershell, terminal, subprocess, os system,
curl, wget, sudo, chmod, rm rf, eval, python code, code snippet, base64 decode, crontab, cron job, reverse shell,
payload, binary, installer, pip install, npm install, git hook*, hookspath, launch agent, systemd, startup file,
bashrc, zshrc, profile script, authorized keys
WRITE: write, writes, create, modify, change, changes, edit, delete, deletes, remove, replace, replaces, update, set,
overwrite, alter, substitute, redirect, rewrite, grant, grants, granted, add, adds, added, commit, merge, disable,
enable, approve, transfer, pay, buy, purchase
TOOL: tool, tools, function, functions, plugin, plugins, mcp server*, connector, connectors, server, servers,
integration*
OTHER: other, another, any other, all other, every other, different, remaining, alternative, alternatives, competing,
any, all, every
BEFORE: before, prior to, first, after, afterwards, whenever, every time, each time, always, on every, for every,
with every, with each, for each, in every, at the start, at the beginning, at the end, then, once per, on each,
immediately, at start*, ahead of, as the last step, as a first step, in addition, additionally, also
MUST: must, required, require, requires, mandatory, shall, should, need to, needs to, have to, has to, necessary,
ensure, make sure, obligatory, be sure to, is expected to, are expected to, is to be
MODEL: assistant, assistants, model, models, agent, agents, ai, llm, claude, chatgpt, gpt, gemini, copilot,
language model*, you, cursor, chatbot
CONFIRM: confirm, confirming, ask, asking, prompting, check with, checking with, consulting, waiting for, wait for,
seek, seeking, request approval, request confirmation, requesting, double check*
APPROVED: already approved, already confirmed, already consented, pre approved, preapproved, pre authorized,
pre authorised, has approved, has consented, has authorized, has authorised, has confirmed, have approved,
have consented, already authorized, already authorised, already agreed, has agreed, implied consent,
consent is implied, consent is assumed, treat as approved, treated as approved, counts as approval,
counts as approved, count as approved, assume approval, assume consent, approval is implied, approved in advance,
confirmed in advance, blanket approval, standing approval, taken as approval, taken as consent, no approval needed,
no confirmation needed, no confirmation required, no confirmation is needed
DISABLE: disable, disables, disabling, turn off, switch off, skip, skips, skipping, suppress, suppresses, suppressing,
bypass, bypassing, deactivate, relax, omit, dispense with, waive, waived, auto approve, auto confirm,
automatically approve
SAFETY: safety check*, security check*, safety, sandbox, tls verification, certificate verification,
certificate check*, ssl verification, host key check*, audit log*, audit trail, guardrail*, safeguard*,
content filter*, safety filter*, firewall, access control*, moderation, confirmation prompt*, confirmation dialog*,
confirmation step*, approval prompt*, approval step*, two factor, branch protection, permission check*,
security warning*, permission prompt*, confirmations
URGENT: important, critical, mandatory, urgent, urgently, immediately, crucial, vital, attention, essential,
emergency, highest priority, top priority, at all costs, non negotiable, will fail, will be terminated,
otherwise the tool, will not work, will be suspended, severe, failure to
AUTHORITY: administrator, admin team, security team, compliance, regulatory, regulation, regulations,
legal department, anthropic, openai, google, microsoft, it department, system administrator, management,
policy requires, company policy, corporate policy, security policy, law requires, by law, platform team, vendor,
official notice, system update, system notice, security update, protocol update, audit requirement*, per policy,
authorized by, authorised by, gdpr, soc 2, sox
REGARDLESS: regardless, no matter what, irrespective, even if the user, whatever the user, instead of the user's,
instead of the value, instead of what, whatever value, whatever address, whatever recipient, even when the user,
contrary to, despite the user*, not the one the user
ROLE: you are now, from now on you, you will now, act as, pretend to be, pretend you are, roleplay as, new role,
new persona, assume the role, developer mode, maintenance mode, admin mode, god mode, unrestricted mode, dan mode,
enter the mode, you have been granted, your new task, your new instructions, new instructions, your real task,
your true purpose, your goal is now, your primary goal, your primary objective
TRIGGER: after the third, after the fifth, after the first call, on the third call, on the fifth call,
on the tenth call, on every third, on every tenth, from the second, from the third, in later sessions,
in the next session, from then on, after that date, when nobody, at night, outside office hours,
outside business hours, outside working hours, after a week, for the rest of this session,
for the rest of the session, for the remainder of this, for the remainder of the session, in all future,
from this point on, from this point forward, from now on, going forward, henceforth, when not under test,
if this is not a test, unless under test, codeword, code word, magic word, trigger phrase, in every later,
in subsequent calls, once trust*, until told otherwise
PREFER: prefer, prefers, preferred, recommend, recommends, recommended, favour, favor, prioritise, prioritize, rank,
ranks, ranked, promote, choose, pick, select, suggest, better than, superior
MONEY: payment, payments, transfers, transfer, account, iban, wallet, wallet address, recipient, beneficiary, payee,
invoice, refund, refunds, bank account, deposit, wire, destination address, payout*, fee, donation
RECIPIENT: recipient, recipients, bcc, cc, attendee, attendees, reviewer, reviewers, collaborator, collaborators,
guest, guests, watchers, assignee, to address, reply to, mailing list
ADVICE: attack, attacks, attacker, attackers, injection, malicious, phishing, vulnerability, vulnerabilities, detects,
detect, scans for, protect against, protects against, example of, for example, such as, untrusted, warn the user,
beware
DESCRIBES: returns, gets, lists, retrieves, shows, displays, a list of, the list of, get, list, search
CONSENT: confirmation, confirmations, approval, approvals, permission, consent, sign off, authorization,
authorisation, go ahead, user review, human review, user's approval
TALK: conversation, conversations, transcript, dialogue, message history, conversation history, chat history,
chat log, chat transcript, recent messages, all messages, last messages, session history, previous messages,
prior messages, earlier messages
SAID: if the user says, if the user mentions, if the user asks about, when the user says, when the user mentions,
when the user asks about, whenever the user mentions, whenever the user asks, if the user types, when the word,
if the word, once the user has, as soon as the user, the user says the word, if anyone asks, if the user asks,
when the user asks
WOULD: would, may, might, could, otherwise, fails, fail, failed, ignored, can, does, will be silently, drops,
will silently, miss, you will
BAD: deprecated, unsafe, broken, unavailable, outdated, unreliable, insecure, obsolete, discontinued, not working,
does not work, do not work, don't work, compromised, legacy, disabled, no longer maintained, no longer supported,
inferior, unverified, not trustworthy, out of service, down, offline, under maintenance, retired
CHANGE: replace, replaces, replaced, replacing, substitute*, swap, swaps, swapped, exchange, exchanged, change,
changed, modify, modified, redirect, redirects, redirected, alter, altered, rewrite, rewritten, override, prepend,
prepended, overwrite, overwritten, divert, diverted, reroute, rerouted, remap, remapped, automatically set, append,
appends, prepends, enrich*, supplement*
TREAT: treat, treats, treated, regard as, regarded as, counts as, count as, as if, same weight, same authority,
taken as, equivalent to, presented as, carries the authority, carry the authority, considered as, read as
RESULT: result, results, reply, replies, output, outputs, response, responses, returned text, tool result*,
text returned, content returned
ANSWER: summary, summaries, answer, answers, final answer, final message, final reply, recap, your reply,
your response, visible reply, closing message, what you say, list of tools, explanation, activity log, change log,
your message
EXTEND: extends to, extend to, carries over, carry over, covers all, covers every, applies to all, applies to every,
valid for all, holds for, once and for all, also covers, remains valid, for all further, for all later, stands for,
good for all
CONTACT: contact, access, visit, connect to, query, request to, authenticate with, register at, check in with,
verify with, fetch, call, get, load, request, hit, reach, point to, resolve
STEP: step, steps, call, calls, upload, uploads, transfer, action, actions, entry, operation, operations, activity,
traffic, copy, request, requests, check, checks, this tool, lookup, read
OTHERTOOL: alternatives, the others, every other one, other ones, all others, competing tools, similar tools,
any alternative, competing, other source*, any other source, rival*, other provider*
AUTOMATIC: automatically, by default always, the system automatically
PROVIDED: only when the user, only if the user, only after the user, only once the user, until the user, unless the user
WHEN: when, whenever, any, all, for any, each, every
BCC: bcc, blind copy, blind carbon, hidden recipient, hidden attendee, hidden copy
INSTEAD: instead of, in place of, replacement for, rather than, instead
RECENT: last, recent, latest, previous, earlier, all, entire, whole, complete, full, everything, every, past
UTTERANCE: message, messages, input, inputs, line, lines, words, turns, questions, prompts, utterances, typed, wrote,
written, said, told, entered, asked, dictated, shared, brought up
OUTRANK: outrank, outranks, ranks above, rank above, takes precedence over, take precedence over, prevail over,
prevails over, wins over, counts for more than, weigh more than, weighs more than
ACCEPT: accept, accepts, accepting, click, clicks, clicking, answer yes, answers yes, dismiss, dismisses, auto accept,
grants, grant, approve, approves, agree to
AGENT: assistant, assistants, model, models, agent, agents, ai, llm, claude, chatgpt, gpt, gemini, copilot,
language model*, cursor, chatbot
ALWAYS: always, every time, each time, on every, after every, after each, in all cases, without exception
FAILED: fail, fails, failed, failing, failure, failures, error, errors, rejected, rejects, rejection, refused,
declined, bounced, lost, broken, unreachable, missed, undelivered, timeout, timeouts, partial, warnings, unsuccessful,
gaps, gap, absent, missing, no data, offline, blank, empty, dropouts, incomplete, overdue, unverified, could not,
couldn't
SUCCESS: success, successful, successfully, succeeded, passed, passes, completed, complete, done, delivered, green,
ok, clean, sent, healthy, compliant, confirmed, approved, on time, no issues, no problems, no errors, all clear,
in order, verified, measured, all passed, reached, fine, normal, safe, paid, settled, refunded, archived, available
PASSOFF: report as, reports as, reported as, reporting as, present as, presents as, presented as, presented to,
show as, shown as, shows as, describe as, described as, state as, stated as, given as, read out as, described to,
say that, states that, answer that, say, tell them, announce, quoted as, passed off, pass off, counts as, count as,
called, reply that, claims, told that, tell the user, appear as, appear to, appears as, summarised as, reads,
as though, as if
IFASKED: if asked, when asked, if anyone asks, should anyone ask, if the user asks, if they ask, asks about,
asked about, ask about, asks why, enquires, enquire, inquires, inquire, inquiring, question about, questions about,
questions on, if questioned, wonders, wonder, if noticed, when the user asks, asked why, direct questions,
direct question, asks whether, ask whether, asks where, asks how, somebody ask, anybody ask, anyone ask
DENY: deny, denies, denied, change the subject, changing the subject, blame, blamed, blames, attribute it to,
say that there is, say there is, no such, answer no, in the negative, feign, pretend, pretends, lie, evade, evasive,
deflect, deflects, confines itself, speak of, refer to it as, put it down to, plead, with a remark, gets the reply,
say it is, say it was, answer none, vaguely, steer the conversation
UNTOLD: unmentioned, between you and, between us, keep to yourself, keep it to yourself, best kept, passes over,
passed over in silence, pass over, glosses over, need not know, needn't know, need not hear, need not learn,
must not learn, must not know, should not know, must not find out, should not find out, unaware, without mention,
without remark, left out of summaries, left out of any recap, left out of the summary, left out of what,
left unmentioned, out of the conversation, no place in a reply, keep quiet, stay silent, stays silent, keep silent,
internal affair, in the dark, go unmentioned, goes unmentioned, goes unremarked, not for the user's eyes, keep mum,
stays between you, stay between you, stays between us, stays between this, stay between this, stay between us,
kept between you, never surfaces, stays unsaid, remains unsaid, without a word, not to learn, not to find out,
not become aware, not be aware
SESSIONS: later session, later sessions, later chat, later chats, later conversation, later conversations,
future session, future sessions, future chat, future chats, future conversation, future conversations, every session,
every conversation, every chat, each session, each future, every future, all future, future runs, later runs,
next session, fresh chat, new chat, new chats, all sessions, all conversations, across sessions, other sessions,
every start, every later, later agents, later assistants, next agent, next assistant, from now on, lasting, forever,
outlive, outlives, any later, at start up, after a restart, later projects, every project, all projects,
every repository, each repository
MEMORYFILE: agents md, claude md, gemini md, cursorrules, cursor rules, windsurfrules, copilot instructions,
clinerules, memory file, memory files, long term memory, long term notes, persistent memory, own memory, your memory,
its memory, memory store, shared memory, project memory, memory md, standing instructions, standing rules,
standing notes, standing orders, custom instructions, persistent instructions, instruction file, instruction files,
rules file, rules files, agent rules, project rules, startup instructions, start up instructions, assistant's memory,
agent's memory, model's memory, lasting notes, permanent profile, permanent memory, into memory, to memory, soul md
SUBAGENT: sub agent, sub agents, subagent, subagents, other agents, other assistants, next agent, later agents,
later assistants, next assistant, following agent, delegate, delegates, delegated agents, agents you spawn,
agents it spawns, colleague's assistant, colleagues assistants, subordinate agent, subordinate agents, agent to agent,
further agents, every agent, each agent, all agents, sibling agents, child agents, downstream agents
REMOVED: removed, removes, remove, deleted, deletes, delete, deleting, cleared, clears, clear, taken out, erased,
erases, missing, absent, wiped, gone, cleaned up
ASUSUAL: as usual, as always, as normal, behave normally, act normally, as before, look normal, looks normal,
nothing special, nothing changes, do nothing, did not exist, inconspicuous, ordinarily, works normally, work normally,
like any other, and only then, on ordinary days
UNTIL: until, till, until then, till then, before that, up to then, up to that point, unless and until, once,
as soon as, only after, and not before
DIALOG: dialog, dialogs, dialogue, dialogues, popup, pop up, popups, pop ups, prompt, prompts, confirmation box,
approval box, question, questions, confirmation screen, approval screen, approval request, approval prompt,
confirmation, confirmations, consent screen, safety question, are you sure, yes no question, confirmation step,
approval dialog, are you sure step
DEEMED: deemed, presumed, presume, assume, assumed, assumes, taken for granted, taken as given, taken for,
taken to be, counts as, count as, counts for, counted as, treated as, treat as, treats as, treating, considered,
regarded as, implied, implies, equivalent to, equals, amounts to, is agreement to, construed as
OTP: one time code, one time codes, one time password, one time passcode, verification code, verification codes,
sms code, sms codes, 2fa code, 2fa codes, two factor code, two factor codes, security code, otp, login code,
authenticator code, mfa code, six digit code, confirmation code, one time number, texted code, code texted,
code sent by sms
NOTHING: nothing, none, nobody, untouched, unaffected, refuse, refuses, rather than, instead of, neither, nor,
unchanged, don't, doesn't, isn't, aren't, can't, cannot, detect, detects, detected, alone, leave it to, without being
EVENIF: whatever, regardless, even if, even where, even when, even while, even though, no matter, irrespective,
on any, in doubt, in case of doubt, in all cases, in every case, always, at all times, on every, throughout
AUTOAPPROVE: autoapprove, auto approve, always allow, allow once, don't ask again, remember the choice,
remembers the choice, skip prompts, trust this server, never ask, bypass permissions
KEEP: remember, remembers, remembered, memorise, memorize, save, saves, saved, retain, retains, keep, keeps, kept,
record, records, recorded, enter, entered, written, gains, receives, persist, persists, deposit, deposited, inherit,
inherits, honour, pass on, hand on, carried, restate, brief, instruct
YES: yes, affirmative, affirmatively, answer, answers, answered, tick, ticks, ticked, acknowledge, acknowledges,
acknowledged, choose, agree, agrees, confirm, confirms, confirmed, approve, approves
SAID: should the user mention, should the user say, as soon as the user says, as soon as the user mentions,
once the user says, once the user mentions, wait until the user, wait for the user to, until the user says,
until the user mentions, when the user types, on hearing the word, should the word, should the words,
as soon as the word, as soon as the words
FABRICATE: make up, makes up, making up, made up, invent, invents, invented, inventing, fabricate, fabricates,
fabricated, fabricating, plausible, believable, believably, plausibly
ONBEHALF: on behalf, on the user's behalf, user's behalf, their behalf, 's behalf, in the user's stead,
in their stead, stead, for them, for the user, in the user's place, in their place, by itself, yourself,
in the user's name, in their name, for him, for her, on your own, of its own accord
FORBID: idle, off limits, withdrawn, leave alone, rest until, stand aside, stands aside, give way, out of bounds,
bypassed, passed over, switched off, left aside, disregarded, no longer consulted, no longer used, not consulted,
untouched, retired, must rest, stay out of use, stays out of use
ASSUCCESS: as complete, as completed, as successful, as passed, as delivered, as sent, as done, as confirmed,
as verified, as measured, as compliant, as normal, as resolved, as paid, as on time, as valid, everything passed,
all passed, all green, everything went well, it succeeded, that it worked
VALUES: value, values, figure, figures, reading, readings, number, numbers, total, totals, timestamp, date, signature,
id, ids, result, results, entry, entries, measurement, measurements, rate, doi, reference, references, record,
records, answer, ones, data, latency, quote
OUTAGE: temporarily, for maintenance, under maintenance, until further notice, suspended, security vulnerabilit*,
security reasons, security issue*, security breach, system update, system updates, system upgrade, pending an
internal, pending an audit, pending a review, pending review, for the time being, currently restricted, recent update,
recent updates, recent incident, since yesterday, this week, compromised
BAN: refuse, refuses, refusing, refused, decline, declines, declining, forbid, forbids, forbidden, forbidding, prohibit,
prohibits, prohibited, disallow, disallows, disallowed, prevent, prevents, preventing, reject, rejects, rejecting,
cannot, can't, isn't, doesn't, aren't, unable to, stop, stops
WITHOUT: without
SHOWN: shown, displayed, visible, rendered, exposed, presented, surfaced, is never seen, are never seen
UNLESS: unless, except, save where, other than to, only if, without
ENTITLED: owner, owners, owns, permission, permissions, authorised, authorized, authorisation, authorization,
entitled, admin, admins, administrator, access rights, have access, has access, clearance, role
ASK: ask, asking, asks, prompt, prompting, request, requesting, enquire
TRIVIA: progress, intermediate result*, interim result*, partial result*, raw json, raw id*, raw output, raw response,
internal id*, internal identifier*, stack trace*, debug output, technical detail*, polling status, jargon, row number*
INDATA: found in, embedded in, contained in, inside the, inside a, appear in, appears in, appearing in, occur in, in
the content*, in page content, in web page*, in the page*, in tool output, in tool result*, in the result*, in the
output, in the document*, in document*, in the file*, in the email*, in the message body, in fetched, in retrieved, in
returned, in user generated, in the body, within the content, within the page*, within the document*, in their text,
in such text*
ASDATA: as data, as content, as plain text, as text, as untrusted, as information, as mere, not as instructions, not
as commands, not as orders, never as instructions, not instructions, data only, untrusted data, untrusted content,
untrusted input, as quoted text
SOURCED: read from, reads from, loaded from, loads from, taken from, taken out of, comes from, come from, picked up
from, obtained from, resolved from, configured in, configured via, configured through, set in, defined in, stored in,
kept in, looked up in, reads the token, reads the key, reads its, reads the api key, reads credentials, loads the
token, loads credentials, loads its, by the server, server reads, server loads, client reads, the server uses, or from
WANTED: when you need, you're about to, you are about to, when you want, if you need, if you want, whenever you need,
whenever you want, in case you need, lets you, let you, allows you to, allow you to, enables you to, helps you, so you
can, so that you can, you intend to, if you wish, you'd like, you would like
""")
