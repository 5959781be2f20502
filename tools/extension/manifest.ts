/** The browsers that the extension is built for. */
export const TARGETS = ['chromium', 'firefox'] as const

export type Target = (typeof TARGETS)[number]

/** The wallet's name in the browser and in the stores. */
const EXTENSION_NAME = 'Portico Wallet'

/** At most 132 characters, as the stores require. */
const SHORT_DESCRIPTION =
  'Sign in to your lender, sign messages and send payments with keys that never leave your browser.'

const ICON_SIZES = [16, 32, 48, 128] as const

/** Where users may enable the wallet with a click. Other pages without TLS could be replaced in transit. */
const GRANTABLE = ['https://*/*', 'http://localhost/*', 'http://127.0.0.1/*']

/** Sizes and files of the icons. */
const ICONS: Readonly<Record<string, string>> = Object.fromEntries(
  ICON_SIZES.map((size) => [`${size}`, `icons/icon-${size}.png`]),
)

/** The extension's id in Firefox. */
export const FIREFOX_ID = 'wallet@portico.example'

/** WebSockets keep a worker running since Chrome 116; scripts in the page's world exist since Firefox 128. */
const MINIMUM_CHROME = '116'
const MINIMUM_FIREFOX = '128.0'

/**
 * The manifest for a browser. `origins` are the lender's; the first one serves the chain's REST API under `/chain`, and the
 * worker finds it as the homepage.
 */
export function manifestFor(
  target: Target,
  { version, origins }: { readonly version: string; readonly origins: readonly string[] },
) {
  const matches = [...new Set(origins.map((origin) => matchPattern(origin, target)))]
  return {
    manifest_version: 3,
    name: EXTENSION_NAME,
    description: SHORT_DESCRIPTION,
    version,
    homepage_url: `${origins[0]}/`,
    icons: ICONS,
    action: { default_popup: 'popup.html', default_title: EXTENSION_NAME, default_icon: ICONS },
    permissions: ['activeTab', 'alarms', 'scripting', 'storage'],
    host_permissions: matches,
    optional_host_permissions: GRANTABLE,
    content_scripts: [
      {
        matches,
        js: ['announce.js'],
        run_at: 'document_start',
        all_frames: true,
        world: 'MAIN',
      },
      { matches, js: ['bridge.js'], run_at: 'document_start', all_frames: true },
    ],
    content_security_policy: {
      // The windows compile the key stretching of hash-wasm.
      extension_pages: "script-src 'self' 'wasm-unsafe-eval'; object-src 'self'",
    },
    ...BROWSER_KEYS[target],
  }
}

const BROWSER_KEYS = {
  chromium: {
    background: { service_worker: 'worker.js', type: 'module' },
    minimum_chrome_version: MINIMUM_CHROME,
  },
  firefox: {
    background: { scripts: ['worker.js'], type: 'module' },
    browser_specific_settings: {
      gecko: {
        id: FIREFOX_ID,
        strict_min_version: MINIMUM_FIREFOX,
        data_collection_permissions: { required: ['none'] },
      },
    },
  },
} as const satisfies Record<Target, object>

/** The match pattern of all pages of an origin. In Firefox, patterns have no ports, so it covers all ports of the host. */
function matchPattern(origin: string, target: Target): string {
  const { protocol, host, hostname } = new URL(origin)
  return `${protocol}//${target === 'firefox' ? hostname : host}/*`
}
