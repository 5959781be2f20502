/**
 * The demonstration's interactive API reference, rendered by Scalar from `/openapi.json`. Its script is served from here and
 * may only connect to this server.
 */
import { BEARER_PREFIX, STORAGE_KEYS } from '@portico/contracts/storage-keys'
import fastify, { type FastifyInstance } from 'fastify'
import { contentSecurityPolicy, hashSource } from '../http/security-headers.ts'
import { type StaticFile, sendFile, staticFile } from '../http/static-file.ts'

const PATH = '/docs'
const SCRIPT = `${PATH}/scalar.js`

const CONFIGURATION = {
  url: '/openapi.json',
  theme: 'none',
  // Scalar's own services.
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  // The session token belongs to the sign-in pages.
  persistAuth: false,
  documentDownloadType: 'direct',
  customCss: `:root { --scalar-font: system-ui, sans-serif; --scalar-font-code: ui-monospace, monospace; }
.light-mode { --scalar-background-1: #ffffff; --scalar-background-2: #f4f6f8; --scalar-background-3: #e6eaef; --scalar-color-1: #17212e; --scalar-color-2: #526070; --scalar-color-3: #526070; --scalar-color-accent: #3a4556; --scalar-border-color: #d5dbe3; }
.dark-mode { --scalar-background-1: #12171e; --scalar-background-2: #1b222b; --scalar-background-3: #28313c; --scalar-color-1: #e8edf3; --scalar-color-2: #a5b1bf; --scalar-color-3: #a5b1bf; --scalar-color-accent: #a7b4c9; --scalar-border-color: #39424e; }`,
}

/** Renders the reference with this browser's session token, so that calls work right after a login. */
const START = `
// Scalar's editor writes plain markup. The page's policy prevents such markup from running anything.
window.trustedTypes?.createPolicy('default', { createHTML: (html) => html })
const token = (localStorage.getItem('${STORAGE_KEYS.jwt}') ?? '').replace('${BEARER_PREFIX}', '')
Scalar.createApiReference('#reference', {
  ...${JSON.stringify(CONFIGURATION)},
  darkMode: matchMedia('(prefers-color-scheme: dark)').matches,
  authentication: { securitySchemes: { token: { token }, storedToken: { value: token } } },
})`

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Portico API</title></head>
<body><noscript><p>Calls can be sent with JavaScript only. <a href="${PATH}/plain">Read the reference without it.</a></p></noscript>
<div id="reference"></div><script src="${SCRIPT}"></script><script>${START}</script></body></html>`

const POLICY = contentSecurityPolicy({
  'script-src': `'self' ${hashSource(START)}`,
  // Scalar sets inline styles, which no nonce or hash can allow.
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'trusted-types': 'vue default',
})

export function apiReference(app: FastifyInstance): void {
  let script: Promise<StaticFile> | undefined
  app.get(PATH, (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', POLICY).send(PAGE),
  )
  app.get(SCRIPT, async (request, reply) => {
    script ??= loadScript()
    return sendFile(await script, 'no-cache', request, reply)
  })
}

/** Scalar's script is larger than four megabytes, so it is only loaded when a browser requests it. */
async function loadScript(): Promise<StaticFile> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  // The package exports the script only as a route.
  const app = fastify()
  await app.register(scalar, { routePrefix: PATH, configuration: { url: CONFIGURATION.url } })
  const { rawPayload } = await app.inject(`${PATH}/js/scalar.js`)
  await app.close()
  return staticFile('scalar.js', rawPayload)
}
