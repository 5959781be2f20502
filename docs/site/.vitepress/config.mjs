// The documentation site: the Markdown files of the repository with navigation by role, search and diagrams. The files can
// also be read in a repository browser, so everything that only the site needs is here.
import path from 'node:path'
import { headingAnchor } from '../heading-anchor.mjs'
import { pagesIn, ROOT, titleOf } from '../pages.mjs'
import { drawDiagrams } from './diagrams.mjs'
import { resolveLinks } from './links.mjs'

/** The path of the site on its host. */
const BASE = process.env.DOCS_BASE ?? '/'

const GUIDES = ['lender-engineer', 'front-end-engineer', 'operator', 'contributor'].map(
  (name) => `docs/guides/${name}`,
)

/** Each group of the navigation with its pages. */
const GROUPS = {
  'Start by role': GUIDES,
  'Use in your applications': [
    'docs/openid-provider',
    'docs/lender-app',
    'docs/guides/express',
    'docs/guides/next',
    'docs/guides/spring',
    'docs/webhooks',
    'docs/admin-api',
    'docs/packages',
  ],
  'Brand and content': [
    'docs/white-label',
    'docs/banners',
    'docs/partner-onboarding',
    'docs/passport',
    'docs/telemetry-and-experiments',
  ],
  Operate: [
    'docs/deployment',
    'docs/configuration',
    'docs/operations',
    'docs/console',
    'docs/upgrading',
    'docs/identity-providers',
    'docs/scim',
    'docs/import',
    'docs/scaling',
    'docs/performance',
  ],
  Wallets: [
    'docs/wallet-connect',
    'docs/wallets',
    'docs/extension',
    'docs/mobile-wallet',
    'docs/wallet-protocol',
  ],
  Trust: ['SECURITY', 'docs/security', 'docs/coverage', 'docs/comparison'],
  Contribute: ['CONTRIBUTING', 'docs/architecture', 'docs/spec', 'docs/releasing', 'CHANGELOG'],
}

/** Pages that would fill every search with the same words. */
const NOT_SEARCHED = new Set(['docs/coverage.md', 'CHANGELOG.md'])

const group = (text, pages, collapsed = false) => ({ text, items: pages.map(pageOf), collapsed })
const pageOf = ({ title, path }) => ({ text: title, link: `/${path}` })
const titled = (names) => names.map((name) => ({ path: name, title: titleOf(name) }))

const decisions = pagesIn('docs/decisions')
const flows = pagesIn('docs/flows')
const grouped = new Set(Object.values(GROUPS).flat())
const others = [...pagesIn('docs'), ...pagesIn('docs/guides')].filter(
  ({ path: page }) => !grouped.has(page),
)
const READMES = ['packages', 'apps', 'examples'].flatMap((folder) => pagesIn(folder))

export default {
  title: 'Portico',
  description: 'The white-label front door of a lending business',
  lang: 'en-US',
  base: BASE,
  srcDir: ROOT,
  srcExclude: ['.*/**', 'README.md', '{bench,config,data,deploy,release,tests,tools}/**'],
  ignoreDeadLinks: 'localhostLinks',
  // Folders have no index in the repository.
  rewrites: {
    'docs/site/index.md': 'index.md',
    'docs/site/decisions.md': 'docs/decisions/index.md',
    'docs/site/flows.md': 'docs/flows/index.md',
  },
  outDir: 'dist',
  cacheDir: path.join(import.meta.dirname, 'cache'),
  head: [
    ['link', { rel: 'icon', href: `${BASE}icon.svg`, type: 'image/svg+xml' }],
    [
      'script',
      {},
      // The roles of packages/ui/src/tokens.css follow this attribute; the theme's own switch is a class.
      "{const root=document.documentElement,follow=()=>{root.dataset.scheme=root.classList.contains('dark')?'dark':'light'};new MutationObserver(follow).observe(root,{attributeFilter:['class']});follow()}",
    ],
  ],
  markdown: {
    anchor: { slugify: headingAnchor },
    headers: { slugify: headingAnchor },
    toc: { slugify: headingAnchor },
    config(markdown) {
      markdown.use(resolveLinks).use(drawDiagrams)
    },
  },
  vite: {
    publicDir: path.join(import.meta.dirname, '../public'),
    plugins: [packagesOfTheSite()],
    // Otherwise the repository's own settings apply, which are too new for this Vite.
    esbuild: { tsconfigRaw: {} },
    build: { chunkSizeWarningLimit: 4000 },
  },
  themeConfig: {
    logo: '/icon.svg',
    search: {
      provider: 'local',
      options: {
        _render(text, env, markdown) {
          const html = markdown.render(text, env)
          return NOT_SEARCHED.has(env.relativePath) ? '' : html
        },
      },
    },
    outline: [2, 3],
    nav: [
      { text: 'Guides', items: titled(GUIDES).map(pageOf) },
      { text: 'Deploy', link: '/docs/deployment' },
      { text: 'Security', link: '/docs/security' },
      { text: 'Comparison', link: '/docs/comparison' },
    ],
    sidebar: [
      ...Object.entries(GROUPS).map(([text, names]) => group(text, titled(names))),
      ...(others.length > 0 ? [group('More', others)] : []),
      group('Packages and applications', READMES, true),
      { ...group('Decisions', decisions, true), link: '/docs/decisions/' },
      { ...group('Flow diagrams', flows, true), link: '/docs/flows/' },
    ],
  },
}

/** The pages are outside this folder, so they do not find its packages by themselves. */
function packagesOfTheSite() {
  const site = path.join(import.meta.dirname, '../index.md')
  return {
    name: 'packages-of-the-site',
    enforce: 'pre',
    resolveId(id, importer, { ssr }) {
      if (!/^(?:@?vue|@vueuse|mermaid)(?:\/|$)/.test(id)) return undefined
      // The renderer of the pages runs in this folder.
      if (ssr) return { id, external: true }
      return importer?.endsWith('.md') ? this.resolve(id, site, { skipSelf: true }) : undefined
    },
  }
}
