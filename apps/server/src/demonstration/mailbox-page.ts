import { escapeHtml } from '../escape-html.ts'
import type { MessageRow } from '../mail/messages.store.ts'
import { totpCode } from '../secrets/totp.ts'
import type { DemonstrationPerson } from './people.ts'

export interface MailboxMessage {
  readonly id: string
  readonly channel: MessageRow['channel']
  readonly to: string
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly sentAt: string
}

/** The page's only style sheet, allowed by hash in its Content-Security-Policy. */
export const MAILBOX_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d5dbe3, #39424e); --muted: light-dark(#526070, #a5b1bf);
  --raised: light-dark(#ffffff, #1b222b); font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; background: light-dark(#f5f7fa, #12171e); color: light-dark(#17212e, #e8edf3); }
main { max-width: 60rem; margin: 0 auto; padding: 40px 20px 80px; }
h1 { font-size: 28px; line-height: 1.2; margin: 0 0 8px; } h2 { font-size: 21px; line-height: 1.2; margin: 48px 0 16px; }
p { margin: 0 0 16px; } .muted { color: var(--muted); } form { display: flex; gap: 8px; flex-wrap: wrap; align-items: end; }
label { display: grid; gap: 4px; flex: 1 1 12rem; max-width: 26rem; font-size: 15px; font-weight: 600; } input, button { font: inherit; height: 48px; padding: 0 16px; border-radius: 6px;
  border: 1px solid var(--muted); background: var(--raised); color: inherit; } input { width: 100%; box-sizing: border-box; font: 17px system-ui, sans-serif; } button { font-weight: 600; cursor: pointer; }
a { color: inherit; } details { border: 1px solid var(--line); border-radius: 6px; background: var(--raised); margin: 0 0 8px; }
summary { padding: 12px 16px; cursor: pointer; display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 16px; } summary > .muted { font-size: 14px; }
summary > b { font-weight: 600; } details[open] > summary { border-bottom: 1px solid var(--line); } .plain[open] > summary { border: 0; } 
summary > * { overflow-wrap: anywhere; min-width: 0; } pre { margin: 0; padding: 16px; white-space: pre-wrap; overflow-wrap: anywhere; font: 15px/1.5 ui-monospace, monospace; }
iframe { display: block; width: 100%; height: 38rem; border: 0; resize: vertical; } .plain { border-width: 1px 0 0; border-radius: 0 0 6px 6px; margin: 0; }
.scroll { overflow-x: auto; } td:last-child { overflow-wrap: anywhere; min-width: 14rem; } table { border-collapse: collapse; width: 100%; font-size: 15px; } th, td { text-align: left; padding: 8px 12px 8px 0;
  border-bottom: 1px solid var(--line); vertical-align: top; } th { color: var(--muted); font-size: 14px; } code { font: 14px ui-monospace, monospace; white-space: nowrap; }
@media (max-width: 48rem) { summary { grid-template-columns: minmax(0, 1fr); } thead { position: absolute; clip-path: inset(50%); } tr { display: block; padding: 12px 0; border-bottom: 1px solid var(--line); } td { display: block; padding: 2px 0; border: 0; } code { white-space: normal; overflow-wrap: anywhere; } }
:focus-visible { outline: 2px solid; outline-offset: 2px; }`

/**
 * The mailbox page: every message sent so far, the accounts to log in with, and the section for setting up single sign-on.
 */
export function mailboxPage(
  messages: readonly MailboxMessage[],
  people: readonly DemonstrationPerson[],
  { to, setup, at }: { to: string; setup: string; at: number },
): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Mailbox</title><style>${MAILBOX_STYLE}</style></head>
<body><main>
<h1>Mailbox</h1>
<p class="muted">Messages this demonstration has sent. No mail leaves this machine until SMTP_URL is set. <a href="/auth/login">Go to the login page</a></p>
<form method="get"><label>Sent to <input type="email" name="to" value="${escapeHtml(to)}" autocomplete="off"></label><button>Show</button></form>
<h2>${messages.length === 0 ? 'No messages yet' : 'Messages, newest first'}</h2>
${messages.length === 0 ? '<p class="muted">Request a passcode on the login page, then reload this page.</p>' : messages.map(messageHtml).join('\n')}
<h2>People to log in as</h2>
<div class="scroll" tabindex="0" role="region" aria-label="People to log in as"><table><thead><tr><th>Email</th><th>Password</th><th>What for</th></tr></thead><tbody>
${people.map((person) => personHtml(person, at)).join('\n')}
</tbody></table></div>
${setup}
</main></body></html>`
}

function messageHtml(message: MailboxMessage, index: number): string {
  return `<details${index === 0 ? ' open' : ''}><summary><b>${escapeHtml(message.subject)}</b>
<span class="muted">${escapeHtml(message.sentAt.replace('T', ' ').slice(0, 19))}</span>
<span class="muted">to ${escapeHtml(message.to)}</span></summary>
${bodyHtml(message)}</details>`
}

function bodyHtml({ id, channel, subject, text }: MailboxMessage): string {
  const plain = `<pre>${withLinks(text)}</pre>`
  return channel === 'sms'
    ? plain
    : `<iframe src="/dev/mailbox/messages/${id}" title="${escapeHtml(subject)}" loading="lazy" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>
<details class="plain"><summary>Plain text</summary>${plain}</details>`
}

/** A mail's text with clickable links, as in a mail program. */
function withLinks(text: string): string {
  return escapeHtml(text).replace(/https?:\/\/\S+/g, (link) => `<a href="${link}">${link}</a>`)
}

function personHtml(person: DemonstrationPerson, at: number): string {
  const { email, password, purpose, startUrl, factors } = person
  const secret = factors?.totpSecret
  const code =
    secret === undefined
      ? ''
      : `. The application's code now is <code>${totpCode(secret, at)}</code>; reload this page for a newer one`
  return `<tr><td><code>${escapeHtml(email)}</code></td><td>${password === undefined ? '<span class="muted">none</span>' : `<code>${escapeHtml(password)}</code>`}</td><td>${escapeHtml(purpose)}${code}${startUrl === undefined ? '' : `. <a href="${escapeHtml(startUrl)}">Start here</a>`}</td></tr>`
}
