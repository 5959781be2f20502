// Import rules, as data for dependency-cruiser. Each has a fixture in
// boundaries.test.ts that violates it.
import type { IForbiddenRuleType } from 'dependency-cruiser'

/** All packages with their allowed dependencies. */
export const PACKAGE_DEPENDENCIES: Readonly<Record<string, readonly string[]>> = {
  contracts: [],
  rules: ['contracts', 'keys'],
  admin: ['contracts'],
  client: ['contracts'],
  flow: [],
  keys: [],
  sdk: [],
  'chain-client': ['contracts', 'rules', 'keys'],
  // Its tests use it through the client.
  'development-chain': ['chain-client', 'contracts', 'keys'],
  'wallet-connect': ['contracts', 'rules', 'keys', 'flow'],
  telemetry: ['contracts', 'rules', 'client'],
  ui: ['contracts', 'rules'],
  shell: ['contracts', 'rules', 'client', 'flow', 'ui'],
  'self-custody': [
    'contracts',
    'rules',
    'keys',
    'wallet-connect',
    'chain-client',
    'wallet-kit',
    // In tests only: see 'development-chain-only-in-the-demonstration'.
    'development-chain',
  ],
  'wallet-kit': [
    'chain-client',
    'contracts',
    'rules',
    'client',
    'flow',
    'keys',
    'ui',
    'shell',
    'wallet-connect',
  ],
}

const SCREENS = '(^|/)node_modules/(react|react-dom|@base-ui)/|^packages/ui/'
const TEST = '\\.test\\.tsx?$'

// Folders of the server that every module may import.
const INFRASTRUCTURE = [
  'audit',
  'database',
  'http',
  'limits',
  'lockout',
  'mail',
  'operations',
  'secrets',
  'tokens',
]

const IMPORTABLE_IN_THE_APP = [
  '/src/([^/]+)/\\1\\.tsx?$',
  `^apps/server/src/(${INFRASTRUCTURE.join('|')})/`,
]

// The demonstration imports files inside features directly; production does not contain it.
const DEMONSTRATION = '^packages/ui/gallery/|^apps/[^/]+/src/(?:gallery|demonstration)/'

const packageRules = Object.entries(PACKAGE_DEPENDENCIES).map(
  ([name, others]): IForbiddenRuleType => ({
    name: `package-${name}`,
    comment: `packages/${name} depends on ${others.join(', ') || 'no package of ours'}`,
    severity: 'error',
    from: { path: `^packages/${name}/`, pathNot: DEMONSTRATION },
    to: { path: '^(packages|apps)/', pathNot: `^packages/(${[name, ...others].join('|')})/` },
  }),
)

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
    comment: 'an unresolved import would bypass every other rule',
    severity: 'error',
    from: {},
    // tests/interop uses packages that only that suite installs.
    to: {
      couldNotResolve: true,
      pathNot:
        '\\?|^virtual:|^@arethetypeswrong/|^@cosmjs/|^@provenanceio/|^@redocly/|^@stoplight/|^oidc-client-ts$|^publint$|^s3rver$|^standardwebhooks$',
    },
  },
  {
    name: 'apps-are-leaves',
    comment: 'an application never imports another one, and no package imports an application',
    severity: 'error',
    from: { path: '^(?:apps|examples|packages)/([^/]+)/' },
    to: { path: '^apps/', pathNot: '^apps/$1/' },
  },
  {
    name: 'packages-by-their-exports',
    comment: 'only the exports of a package can be imported',
    severity: 'error',
    from: { path: '^(apps|examples|packages|tests)/([^/]+)/' },
    to: { path: '^packages/', pathNot: '^$1/$2/', dependencyTypesNot: ['aliased'] },
  },
  ...packageRules,
  {
    name: 'protocol-imports-neither-side',
    comment: 'the protocol depends on neither side of a wallet connection nor on the transport',
    severity: 'error',
    from: { path: '^packages/wallet-connect/src/protocol/' },
    to: {
      path: '^packages/wallet-connect/src/',
      pathNot: '^packages/wallet-connect/src/protocol/',
    },
  },
  {
    name: 'transport-imports-neither-side',
    comment: 'the transport depends on neither side',
    severity: 'error',
    from: { path: '^packages/wallet-connect/src/transport/' },
    to: {
      path: '^packages/wallet-connect/src/',
      pathNot: '^packages/wallet-connect/src/(protocol|transport)/',
    },
  },
  {
    name: 'wallet-imports-no-page',
    comment: 'a wallet works with any page of the protocol',
    severity: 'error',
    from: { path: '^packages/wallet-connect/src/wallet[/.]' },
    to: { path: '^packages/wallet-connect/src/(session|react)[/.]' },
  },
  {
    name: 'page-imports-no-wallet',
    comment: 'a page works with any wallet of the protocol',
    severity: 'error',
    from: { path: '^packages/wallet-connect/src/(session|react)[/.]', pathNot: TEST },
    to: { path: '^packages/wallet-connect/src/wallet[/.]' },
  },
  {
    name: 'wallet-connection-runs-in-browsers',
    comment: 'the wallet connection uses no Node modules: pages and extensions bundle it',
    severity: 'error',
    from: { path: '^packages/wallet-connect/src/', pathNot: TEST },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'features-import-front-files',
    comment:
      'only the front file <feature>/<feature>.tsx (or .ts) of another feature may be imported',
    severity: 'error',
    from: {
      path: '^apps/([^/]+)/src/([^/]+)/',
      // The admin API makes the use cases of all features available to operators.
      pathNot: [TEST, DEMONSTRATION, '^apps/server/src/admin/'],
    },
    to: { path: '^apps/$1/src/[^/]+/', pathNot: ['^apps/$1/src/$2/', ...IMPORTABLE_IN_THE_APP] },
  },
  {
    name: 'apps-import-front-files',
    comment:
      'files that combine screens import only their front files; the server combines routes and stores',
    severity: 'error',
    from: { path: '^apps/([^/]+)/src/[^/]+$', pathNot: [TEST, '^apps/server/'] },
    to: { path: '^apps/$1/src/[^/]+/', pathNot: IMPORTABLE_IN_THE_APP },
  },
  {
    name: 'demonstration-imported-dynamically',
    comment: 'a production process loads nothing of the demonstration, and takes no types from it',
    severity: 'error',
    from: { path: '^apps/server/src/', pathNot: '^apps/server/src/demonstration/' },
    to: { path: '^apps/server/src/demonstration/', dynamic: false },
  },
  {
    name: 'demonstration-by-its-front-file',
    comment: 'outside the demonstration, only its front file is imported',
    severity: 'error',
    from: { path: '^apps/', pathNot: '^apps/server/src/demonstration/' },
    to: {
      path: '^apps/server/src/demonstration/',
      pathNot: '^apps/server/src/demonstration/demonstration\\.ts$',
    },
  },
  {
    name: 'development-chain-only-in-the-demonstration',
    comment: 'production has no development chain, and its types come from elsewhere',
    severity: 'error',
    from: {
      path: '^(?:apps|packages)/',
      pathNot: ['^apps/server/src/demonstration/|^packages/development-chain/', TEST],
    },
    to: { path: '^packages/development-chain/' },
  },
  {
    name: 'gallery-has-no-importers',
    comment: 'the gallery is an entry of its own build; no application or package loads it',
    severity: 'error',
    from: { path: '^(?:apps|packages)/', pathNot: '/gallery/' },
    to: {
      path: '^apps/[^/]+/src/gallery/|^packages/ui/gallery/|^packages/shell/src/gallery\\.tsx$',
    },
  },
  {
    name: 'flows-are-headless',
    comment: 'a flow only decides: no screens, calls or storage',
    severity: 'error',
    from: { path: '\\.flow\\.ts$' },
    to: { reachable: true, path: [SCREENS, '^packages/client/', '\\.services\\.tsx?$', 'storage'] },
  },
  {
    name: 'flows-import-no-platform',
    comment: 'a flow runs anywhere, so it imports no Node modules',
    severity: 'error',
    from: { path: '\\.flow\\.ts$' },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'services-import-no-views',
    comment: 'a service returns an event; the view shows it',
    severity: 'error',
    from: { path: '\\.services\\.ts$' },
    // Types are allowed: services receive the function that shows a toast.
    to: { path: [SCREENS, '\\.view\\.tsx$'], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'views-import-no-calls',
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
