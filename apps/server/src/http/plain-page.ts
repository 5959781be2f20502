/**
 * A page that no application draws: one message and the ways on from it. It runs nothing and loads nothing, so it stands
 * also where the applications do not.
 */
import type { FastifyReply } from 'fastify'
import { escapeHtml } from '../escape-html.ts'
import { closedPolicy, styleSource } from './security-headers.ts'

/** The page's only style, which its policy allows by hash. */
const STYLE = `
:root { color-scheme: light dark; --muted: light-dark(#545862, #abafb8); font: 17px/1.5 system-ui, sans-serif; }
body { margin: 0; background: light-dark(#fbfbf9, #131418); color: light-dark(#1b1d24, #eceef1); }
main { max-width: 36rem; margin: 0 auto; padding: 18vh 20px 40px; overflow-wrap: break-word; }
h1 { margin: 0 0 16px; font-size: 28px; font-weight: 600; line-height: 1.2; letter-spacing: -.014em; text-wrap: balance; }
p { margin: 0 0 24px; color: var(--muted); text-wrap: pretty; } code { font: .9em ui-monospace, monospace; }
a { color: light-dark(#1b1d24, #eceef1); text-underline-offset: .2em; }
p > a:only-child { display: inline-block; padding: 11px 20px; border: 1px solid var(--muted); border-radius: 6px;
  font-weight: 600; text-decoration: none; } p > a:only-child:hover { border-color: currentcolor; }
:focus-visible { outline: 2px solid; outline-offset: 2px; }`

/** Sends such a page; `html` is what stands below its heading, where a link that has a paragraph of its own is a button. */
export function sendPlainPage(
  reply: FastifyReply,
  { title, heading, html }: { title: string; heading: string; html: string },
): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', closedPolicy({ 'style-src': styleSource(STYLE) }))
    .send(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escapeHtml(heading)}</h1>
${html}</main></body></html>`)
}
