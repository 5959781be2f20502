import { Bytes, type Call, type Schema } from '@portico/contracts/call'
import { ERROR_CATALOG } from '@portico/contracts/error-catalog'
import { escapeHtml } from '../escape-html.ts'
import { API_PARTS, exampleOf, inlineJsonSchema, refusalsOf } from './openapi.ts'

/** The page's only style, which its policy allows by hash. */
export const REFERENCE_STYLE = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; --line: light-dark(#d5dbe3, #39424e); --muted: light-dark(#526070, #a5b1bf); }
body { margin: 0; background: light-dark(#ffffff, #12171e); color: light-dark(#17212e, #e8edf3); }
main { max-width: 56rem; margin: 0 auto; padding: 40px 20px 80px; } h1 { font-size: 28px; line-height: 1.2; margin: 0 0 8px; } h2 { font-size: 21px; line-height: 1.2; margin: 48px 0 16px; scroll-margin-top: 16px; }
article { border-top: 1px solid var(--line); padding: 20px 0; } h3 { font: 600 16px/1.5 ui-monospace, monospace; margin: 0 0 4px; overflow-wrap: anywhere; }
p { margin: 0 0 8px; overflow-wrap: anywhere; } nav ul { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 16px 0 0; padding: 0; list-style: none; } summary { padding: 4px 0; cursor: pointer; color: var(--muted); } summary:hover { color: inherit; }
.muted { color: var(--muted); } pre { overflow-x: auto; font: 14px/1.5 ui-monospace, monospace; padding: 12px 16px; border: 1px solid var(--line); border-radius: 8px; }
li { margin: 0 0 4px; } code { font: 14px ui-monospace, monospace; } a { color: inherit; } :focus-visible { outline: 2px solid; outline-offset: 2px; }`

/** The API reference as an HTML page, with the same calls as `/openapi.json`. */
export function referencePage(version: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Portico API</title><style>${REFERENCE_STYLE}</style></head>
<body><main><h1>Portico API ${escapeHtml(version)}</h1>
<p class="muted">The readable form of <a href="/openapi.json">openapi.json</a>. Calls marked “session” require the token in the <code>authorization</code> header and the session cookie; those marked “operator” the session of an operator or a service token.</p>
<nav aria-label="Parts"><ul>${API_PARTS.map(
    ({ name }) => `<li><a href="#${anchor(name)}">${escapeHtml(name)}</a></li>`,
  ).join('')}</ul></nav>
${API_PARTS.map(
  ({ name, description, calls }) =>
    `<h2 id="${anchor(name)}">${escapeHtml(name)}</h2><p>${escapeHtml(description)}</p>${calls.map(callHtml).join('\n')}`,
).join('\n')}
</main></body></html>`
}

const anchor = (name: string) => name.replaceAll(' ', '-')

function callHtml(call: Call): string {
  const { request, response } = exampleOf(call)
  return `<article><h3>${call.method} ${escapeHtml(call.path)}</h3>
<p>${escapeHtml(call.summary)}${call.auth === 'none' ? '' : ` <span class="muted">(${call.auth})</span>`}</p>
${Object.entries(call.headers ?? {})
  .map(
    ([name, meaning]) => `<p>Header <code>${escapeHtml(name)}</code>: ${escapeHtml(meaning)}</p>`,
  )
  .join('')}
${queryHtml(call)}${bodyHtml('Request', call.body, request)}${bodyHtml('Response', call.answer, response)}
<details><summary>Refusals</summary><ul>${refusalsOf(call)
    .map(
      (code) =>
        `<li><code>${ERROR_CATALOG[code].status} ${code}</code> ${escapeHtml(ERROR_CATALOG[code].message)}</li>`,
    )
    .join('')}</ul></details></article>`
}

function queryHtml(call: Call): string {
  const { query = {} } = exampleOf(call)
  return Object.entries(query)
    .map(
      ([name, { description, example }]) =>
        `<p>Query <code>${name}</code>: ${escapeHtml(description)} For example <code>${escapeHtml(String(example))}</code></p>`,
    )
    .join('')
}

function bodyHtml(title: string, schema: Schema | undefined, example: unknown): string {
  if (schema === undefined) return ''
  if (schema === Bytes) return `<p>${title}: bytes</p>`
  return `<details><summary>${title}</summary>${jsonHtml(example)}
<p>Schema</p>${jsonHtml(inlineJsonSchema(schema))}</details>`
}

const jsonHtml = (value: unknown) =>
  `<pre tabindex="0">${escapeHtml(JSON.stringify(value, null, 2))}</pre>`
