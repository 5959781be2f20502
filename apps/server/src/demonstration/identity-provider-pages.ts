/** Pages of the demonstration's identity providers. They deliberately look like another company's. */
import { escapeHtml } from '../escape-html.ts'
import { contentSecurityPolicy, hashSource } from '../http/security-headers.ts'
import type { DemonstrationPerson } from './people.ts'

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d5d9e2, #3a3f4b); --muted: light-dark(#50566a, #a9afc0); font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; background: light-dark(#eef1f6, #14161c); color: light-dark(#171a24, #eceef4); }
main { max-width: 26rem; margin: 10vh auto 40px; padding: 28px; box-sizing: border-box; background: light-dark(#fff, #1d2029); border: 1px solid var(--line); border-radius: 12px; overflow-wrap: anywhere; }
h1 { margin: 0 0 8px; font-size: 24px; line-height: 1.25; } p { margin: 0 0 20px; color: var(--muted); }
label { display: block; margin: 0 0 16px; font-weight: 600; } input { display: block; width: 100%; box-sizing: border-box; margin-top: 4px; padding: 10px 12px; border: 1px solid light-dark(#757b8c, #8b91a3); border-radius: 8px; background: transparent; color: inherit; font: inherit; font-weight: 400; }
button { width: 100%; min-height: 44px; padding: 10px 16px; border: 0; border-radius: 8px; background: light-dark(#2b2f77, #c7caff); color: light-dark(#fff, #14161c); font: inherit; font-weight: 600; cursor: pointer; }
.quiet { margin-top: 8px; background: transparent; color: inherit; }
.error { padding: 10px 12px; border-radius: 8px; background: light-dark(#fdecea, #3b1d1b); color: inherit; } a { color: inherit; }
code { font: .9em ui-monospace, monospace; } small { display: block; margin-top: 20px; color: var(--muted); font-size: 14px; }
:focus-visible { outline: 3px solid light-dark(#2b2f77, #c7caff); outline-offset: 2px; }
@media (max-width: 30rem) { main { margin: 0; min-height: 100vh; border: 0; border-radius: 0; } }`

/**
 * The policy of every response: the style above, and forms to this origin. The library adds the hash of its form-submitting
 * script, which requires the directive to exist.
 */
export const IDENTITY_PROVIDER_POLICY = contentSecurityPolicy({
  'script-src': '',
  'style-src': hashSource(STYLE),
  'form-action': "'self'",
})

export function identityProviderPage({
  heading,
  html,
}: {
  readonly heading: string
  readonly html: string
}): string {
  const title = escapeHtml(heading)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${title}</title><style>${STYLE}</style></head>
<body><main><h1>${title}</h1>
${html}
</main></body></html>`
}

const SUBMIT = 'document.forms[0].submit()'

/** The policy of `sendingPage`. */
export const SENDING_POLICY = contentSecurityPolicy({
  'script-src': hashSource(SUBMIT),
  'style-src': hashSource(STYLE),
  'form-action': "'self'",
})

/** A page that submits a form immediately. */
export function sendingPage({
  to,
  fields,
}: {
  readonly to: string
  readonly fields: Readonly<Record<string, string>>
}): string {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  )
  return identityProviderPage({
    heading: 'Signing you in…',
    html: `<form method="post" action="${escapeHtml(to)}">${inputs.join('')}<noscript><button>Continue</button></noscript></form>
<script>${SUBMIT}</script>`,
  })
}

/** The sign-in page. */
export function signInPage({
  name,
  people,
  email,
  failed,
  cancelable = false,
}: {
  readonly name: string
  readonly people: readonly DemonstrationPerson[]
  readonly email: string
  readonly failed: boolean
  readonly cancelable?: boolean
}): string {
  const error = failed
    ? '<p class="error" id="error" role="alert">The email or password is incorrect.</p>'
    : ''
  const described = failed ? ' aria-describedby="error" aria-invalid="true"' : ''
  return identityProviderPage({
    heading: `Sign in to ${name}`,
    html: `<p>This is the sign-in of another company, for the demonstration.</p>
${error}<form method="post">
<label>Email <input name="email" type="email" autocomplete="username" required value="${escapeHtml(email)}"${described}></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required${described}></label>
<button>Sign in</button>${cancelable ? '<button class="quiet" name="cancel" value="yes" formnovalidate>Cancel</button>' : ''}</form>
<small>${people.map((person) => `<code>${escapeHtml(person.email)}</code> with <code>${escapeHtml(person.password ?? '')}</code>`).join('<br>')}</small>`,
  })
}
