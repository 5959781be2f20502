// Who may import whom. The rules are data for dependency-cruiser; each has a fixture in
// boundary-rules.test.ts that proves it bites.
import type { IForbiddenRuleType } from 'dependency-cruiser'

/** The packages and what each leans on; a package that is not listed here may not exist. */
export const LEANS_ON: Readonly<Record<string, readonly string[]>> = {
  contracts: [],
  rules: ['contracts'],
  client: ['contracts'],
  flow: [],
  keys: [],
  'wallet-connect': ['contracts', 'keys', 'flow'],
  telemetry: ['contracts', 'rules', 'client'],
  ui: [],
  shell: ['contracts', 'rules', 'client', 'flow', 'ui'],
}

const SCREENS = '(^|/)node_modules/(react|react-dom|@base-ui)/|^packages/ui/'
const TEST = '\\.test\\.tsx?$'

// What every module of the server stands on; these folders are no features and are open to it.
const FOUNDATIONS = ['audit', 'database', 'http', 'limits', 'mail', 'secrets', 'tokens']

const OPEN_INSIDE_THE_APP = [
  '/src/([^/]+)/\\1\\.tsx?$',
  `^apps/server/src/(${FOUNDATIONS.join('|')})/`,
]

// Pages for looking at the parts, and at every screen in every brand; they take views by themselves, and no visitor is shown them.
const GALLERY = '^packages/ui/gallery/|^apps/[^/]+/src/gallery/'

const packageRules = Object.entries(LEANS_ON).map(
  ([name, others]): IForbiddenRuleType => ({
    name: `package-${name}`,
    comment: `packages/${name} leans on ${others.join(', ') || 'nothing of ours'}`,
    severity: 'error',
    from: { path: `^packages/${name}/`, pathNot: GALLERY },
    to: { path: '^(packages|apps)/', pathNot: `^packages/(${[name, ...others].join('|')})/` },
  }),
)

/** Everything that may not be imported. */
export const BOUNDARY_RULES: readonly IForbiddenRuleType[] = [
  {
    name: 'no-cycles',
    comment: 'imports run one way',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  {
    name: 'everything-resolves',
    comment: 'an import that leads nowhere would slip past every other rule',
    severity: 'error',
    from: {},
    // The tests of tests/interop name packages that only that suite installs.
    to: { couldNotResolve: true, pathNot: '\\?|^virtual:|^@provenanceio/|^@redocly/|^@stoplight/' },
  },
  {
    name: 'apps-are-leaves',
    comment: 'an application never imports another one, and no package imports an application',
    severity: 'error',
    from: { path: '^(?:apps|examples|packages)/([^/]+)/' },
    to: { path: '^apps/', pathNot: '^apps/$1/' },
  },
  {
    name: 'packages-by-their-doors',
    comment: 'what the exports of a package do not name cannot be imported',
    severity: 'error',
    from: { path: '^(apps|examples|packages|tests)/([^/]+)/' },
    to: { path: '^packages/', pathNot: '^$1/$2/', dependencyTypesNot: ['aliased'] },
  },
  ...packageRules,
  {
    name: 'protocol-knows-no-side',
    comment:
      'what both sides of a wallet connection speak knows neither of them, nor how it travels',
    severity: 'error',
    from: { path: '^packages/wallet-connect/src/protocol/' },
    to: {
      path: '^packages/wallet-connect/src/',
      pathNot: '^packages/wallet-connect/src/protocol/',
    },
  },
  {
    name: 'transport-knows-no-side',
    comment: 'a peer carries what either side says',
    severity: 'error',
    from: { path: '^packages/wallet-connect/src/transport/' },
    to: {
      path: '^packages/wallet-connect/src/',
      pathNot: '^packages/wallet-connect/src/(protocol|transport)/',
    },
  },
  {
    name: 'wallet-knows-no-page',
    comment: 'a wallet works with any page of the protocol, so it leans on nothing of ours',
    severity: 'error',
    from: { path: '^packages/wallet-connect/src/wallet[/.]' },
    to: { path: '^packages/wallet-connect/src/(session|react)[/.]' },
  },
  {
    name: 'page-knows-no-wallet',
    comment: 'a page works with any wallet of the protocol',
    severity: 'error',
    from: { path: '^packages/wallet-connect/src/(session|react)[/.]', pathNot: TEST },
    to: { path: '^packages/wallet-connect/src/wallet[/.]' },
  },
  {
    name: 'wallet-connection-runs-in-browsers',
    comment:
      'no module of Node below the wallet connection: pages and extensions bundle it as it is',
    severity: 'error',
    from: { path: '^packages/wallet-connect/src/', pathNot: TEST },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'features-meet-at-front-doors',
    comment: 'of another feature only <feature>/<feature>.tsx (or .ts) may be imported',
    severity: 'error',
    from: { path: '^apps/([^/]+)/src/([^/]+)/', pathNot: [TEST, GALLERY] },
    to: { path: '^apps/$1/src/[^/]+/', pathNot: ['^apps/$1/src/$2/', ...OPEN_INSIDE_THE_APP] },
  },
  {
    name: 'apps-enter-features-by-front-doors',
    comment: 'what joins screens knows their front doors only; the server joins routes and stores',
    severity: 'error',
    from: { path: '^apps/([^/]+)/src/[^/]+$', pathNot: [TEST, '^apps/server/'] },
    to: { path: '^apps/$1/src/[^/]+/', pathNot: OPEN_INSIDE_THE_APP },
  },
  {
    name: 'flows-are-headless',
    comment: 'a flow decides and does nothing: no screen, no call, no storage',
    severity: 'error',
    from: { path: '\\.flow\\.ts$' },
    to: { reachable: true, path: [SCREENS, '^packages/client/', '\\.services\\.tsx?$', 'storage'] },
  },
  {
    name: 'flows-import-no-platform',
    comment: 'a flow runs anywhere, so it imports nothing of Node',
    severity: 'error',
    from: { path: '\\.flow\\.ts$' },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'services-show-nothing',
    comment: 'a service answers with an event; what the user sees is the view’s',
    severity: 'error',
    from: { path: '\\.services\\.ts$' },
    // A type shows nothing: services are passed the function that shows a toast.
    to: { path: [SCREENS, '\\.view\\.tsx$'], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'views-call-nothing',
    comment: 'a view shows a state and sends events',
    severity: 'error',
    from: { path: '\\.view\\.tsx$' },
    to: { path: ['^packages/client/', '\\.services\\.tsx?$', '^packages/contracts/.*storage'] },
  },
  {
    name: 'server-without-screens',
    comment: 'what an application renders on the server is its own build, never an import',
    severity: 'error',
    from: { path: '^apps/server/' },
    to: { reachable: true, path: SCREENS },
  },
  {
    name: 'queries-only-in-stores',
    comment: 'SQL lives in *.store.ts and in the database folder',
    severity: 'error',
    from: {
      path: '^apps/server/',
      pathNot: ['\\.store\\.ts$', '^apps/server/src/database/', TEST],
    },
    to: { path: '(^|/)node_modules/kysely/', dependencyTypesNot: ['type-only'] },
  },
]
