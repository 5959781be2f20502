/** The pages. They work without scripts; the script only reacts to other tabs. */
import type { Session, SignInFailure } from '@portico/sdk/server'
import type { Installment, ReceivedEvent } from './database.ts'
import { type Html, html } from './html.ts'

const NONE = html``
/** How many unpaid installments are shown. */
const UPCOMING = 3

const MARK = html`<svg viewBox="0 0 28 32" width="28" height="32" aria-hidden="true"><path fill="currentColor" d="M2 24h24v4H2zM5 21l9-17v17zM16 21V9l7 12z"/></svg>`

const FAILURES: Readonly<Record<SignInFailure | 'ended', string>> = {
  expired: 'That took too long, or it began in another browser. Log in again.',
  canceled: 'You canceled. Log in when you are ready.',
  unavailable: 'The login does not answer at the moment. Try again in a minute.',
  failed: 'You could not be logged in. Try again.',
  ended: 'You logged out, or your session ended.',
}

/** Titles of the most common events. */
const EVENTS: Readonly<Record<string, string>> = {
  'account.created': 'Account created',
  'account.email_changed': 'Email address changed',
  'confirmation.sent': 'Code sent to confirm it was you',
  'confirmation.succeeded': 'You confirmed it was you',
  'confirmation.refused': 'A wrong code was entered',
  'passcode.sent': 'Passcode sent',
  'password.set': 'Password changed',
  'second_step.sent': 'Code for the second step sent',
  'session.ended': 'Logged out',
  'session.ended_by_owner': 'Logged out of other devices',
  'session.new_device': 'Logged in with a new browser',
  'session.refused': 'A wrong password was entered',
  'session.started': 'Logged in',
}

interface Frame {
  readonly title: string
  readonly session: Session | undefined
  readonly current?: '/loan' | '/activity'
}

function frame({ title, session, current }: Frame, content: Html): string {
  return html`<!doctype html>
<html lang="en" data-user="${session?.claims.sub ?? ''}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title} · Harborline Mortgage</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/assets/tokens.css">
<link rel="stylesheet" href="/assets/style.css">
<script type="module" src="/assets/page-script.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<div class="bar">
<a class="logo" href="/">${MARK}<span>Harborline</span></a>
${session === undefined ? NONE : navigation(session, current)}
</div>
</header>
<main id="content">
${content}
</main>
<footer>Harborline Mortgage is a made-up lender. This application shows how a lender’s own pages sign users in through Portico.</footer>
</body>
</html>`.text
}

function navigation({ claims }: Session, current: Frame['current']): Html {
  const link = (href: string, text: string) =>
    href === current
      ? html`<a href="${href}" aria-current="page">${text}</a>`
      : html`<a href="${href}">${text}</a>`
  return html`<nav aria-label="Main">${link('/loan', 'Loan')}${link('/activity', 'Activity')}</nav>
<details class="account">
<summary aria-label="Account">${(claims.email ?? '?').slice(0, 1).toUpperCase()}</summary>
<div class="menu">
<p>Logged in as<br><b>${claims.email ?? ''}</b></p>
<form method="post" action="/logout?only=here"><button class="row">Log out here<small>You stay logged in to other applications</small></button></form>
<form method="post" action="/logout"><button class="row">Log out everywhere<small>Of all applications in this browser</small></button></form>
</div>
</details>`
}

const note = (kind: 'ok' | 'warn', text: string) =>
  html`<p class="note" data-kind="${kind}" role="${kind === 'ok' ? 'status' : 'alert'}">${text}</p>`

export function welcomePage(failure: string | undefined): string {
  const text = FAILURES[failure as keyof typeof FAILURES]
  return frame(
    { title: 'Welcome', session: undefined },
    html`<section class="welcome">
<h1>Your home equity line, in one place</h1>
${text === undefined ? NONE : note('warn', text)}
<p class="lead">See what you owe, pay an installment, and follow what happens in your account.</p>
<p><a class="button" href="/login?returnTo=/loan">Log in</a></p>
</section>
<div class="arch" aria-hidden="true"></div>`,
  )
}

export function loanPage(
  session: Session,
  { installments, paid }: { installments: readonly Installment[]; paid: number | undefined },
): string {
  const open = installments.filter(({ paidAt }) => paidAt === null)
  const [next] = open
  const shown = installments.length - open.length + UPCOMING
  const owed = open.reduce((sum, { cents }) => sum + cents, 0)
  const total = installments.reduce((sum, { cents }) => sum + cents, 0)
  return frame(
    { title: 'Your loan', session, current: '/loan' },
    html`<h1>Your loan</h1>
${paid === undefined ? NONE : note('ok', `Installment ${paid} is paid. Thank you.`)}
<section class="card next">
${
  next === undefined
    ? html`<h2>Nothing left to pay</h2><p>Your loan is repaid.</p>`
    : html`<div><h2>Next payment</h2>
<p class="amount">${money(next.cents)}</p>
<p class="muted">Installment ${next.number} of ${installments.length}, due ${day(next.dueOn)}</p></div>
<p><a class="button" href="/pay/${next.number}">Pay ${money(next.cents)}</a></p>`
}
</section>
<section>
<h2>Home equity line</h2>
<progress value="${total - owed}" max="${total}" aria-label="Repaid"></progress>
<dl>
<div><dt>Left to pay</dt><dd>${money(owed)}</dd></div>
<div><dt>Repaid</dt><dd>${money(total - owed)}</dd></div>
<div><dt>Last installment</dt><dd>${day(installments.at(-1)?.dueOn ?? '')}</dd></div>
</dl>
</section>
<section>
<h2>Installments</h2>
<ol class="rows">${installments.slice(0, shown).map(installmentRow)}</ol>
<details class="more"><summary>Show all ${installments.length}</summary>
<ol class="rows">${installments.slice(shown).map(installmentRow)}</ol></details>
</section>`,
  )
}

const installmentRow = ({ number, dueOn, cents, paidAt }: Installment) =>
  html`<li value="${number}"><span>${day(dueOn)}</span><span class="state" data-kind="${paidAt === null ? 'open' : 'ok'}">${paidAt === null ? 'Open' : 'Paid'}</span><span class="number">${money(cents)}</span></li>`

export function payPage(session: Session, { number, dueOn, cents, paidAt }: Installment): string {
  return frame(
    { title: `Pay installment ${number}`, session },
    html`<section class="narrow">
<h1>Pay installment ${number}</h1>
${
  paidAt === null
    ? html`<p class="amount">${money(cents)}</p>
<dl>
<div><dt>For</dt><dd>Home equity line, due ${day(dueOn)}</dd></div>
<div><dt>From</dt><dd>Checking account ending in 4821</dd></div>
<div><dt>Arrives</dt><dd>Today</dd></div>
</dl>
<form method="post" action="/pay/${number}"><button class="button">Pay ${money(cents)}</button></form>
<p><a href="/loan">Cancel</a></p>`
    : html`${note('ok', 'This installment is paid.')}<p><a class="button" href="/loan">Back to your loan</a></p>`
}
</section>`,
  )
}

export function activityPage(session: Session, events: readonly ReceivedEvent[]): string {
  return frame(
    { title: 'Activity', session, current: '/activity' },
    html`<h1>Activity</h1>
<p class="lead">Logins and changes of your account, as they happen.</p>
${
  events.length === 0
    ? html`<p class="card muted">Nothing yet. Logins and changes of your account appear here.</p>`
    : html`<ol class="rows">${events.map(
        ({ type, happenedAt }) =>
          html`<li><span>${EVENTS[type] ?? type.replace(/[._]/g, ' ')}</span><time class="muted" datetime="${happenedAt}">${moment(happenedAt)}</time></li>`,
      )}</ol>`
}`,
  )
}

export function messagePage(
  session: Session | undefined,
  { title, text }: { readonly title: string; readonly text: string },
): string {
  return frame(
    { title, session },
    html`<section class="narrow"><h1>${title}</h1><p class="lead">${text}</p><p><a class="button" href="/">Go to the start</a></p></section>`,
  )
}

const money = (cents: number) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(cents / 100)

const day = (iso: string) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(iso))

const moment = (iso: string) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(iso),
  )
