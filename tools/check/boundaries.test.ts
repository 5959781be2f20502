import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkBoundaries } from './boundaries.ts'
import { BOUNDARY_RULES, PACKAGE_DEPENDENCIES } from './boundary-rules.ts'

type Tree = Readonly<Record<string, string>>

const folders: string[] = []

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const REACT = { 'node_modules/react/index.js': '', 'node_modules/react/package.json': '{}' }
const KYSELY = { 'node_modules/kysely/index.js': '', 'node_modules/kysely/package.json': '{}' }

// Minimal trees that violate each rule; every file of a tree must be necessary.
const VIOLATIONS: Readonly<Record<string, readonly Tree[]>> = {
  'no-cycles': [
    {
      'packages/flow/src/a.ts': "import './b.ts'",
      'packages/flow/src/b.ts': "import './a.ts'",
    },
  ],
  'everything-resolves': [{ 'packages/flow/src/a.ts': "import '@portico/gone'" }],
  'apps-are-leaves': [
    {
      'apps/auth/src/a.ts': "import '../../portal/src/b.ts'",
      'apps/portal/src/b.ts': '',
    },
    {
      'packages/flow/src/a.ts': "import '../../../apps/portal/src/b.ts'",
      'apps/portal/src/b.ts': '',
    },
  ],
  'packages-by-their-exports': [
    {
      'apps/auth/src/a.ts': "import '../../../packages/rules/src/b.ts'",
      'packages/rules/src/b.ts': '',
    },
  ],
  'protocol-imports-neither-side': [
    {
      'packages/wallet-connect/src/protocol/uri.ts': "import '../transport/peer.ts'",
      'packages/wallet-connect/src/transport/peer.ts': '',
    },
  ],
  'transport-imports-neither-side': [
    {
      'packages/wallet-connect/src/transport/peer.ts': "import '../wallet/acting.ts'",
      'packages/wallet-connect/src/wallet/acting.ts': '',
    },
  ],
  'wallet-imports-no-page': [
    {
      'packages/wallet-connect/src/wallet/acting.ts': "import '../session/config.ts'",
      'packages/wallet-connect/src/session/config.ts': '',
    },
  ],
  'page-imports-no-wallet': [
    {
      'packages/wallet-connect/src/session.ts': "import './wallet.ts'",
      'packages/wallet-connect/src/wallet.ts': '',
    },
    {
      'packages/wallet-connect/src/react/hook.ts': "import '../wallet/acting.ts'",
      'packages/wallet-connect/src/wallet/acting.ts': '',
    },
  ],
  'wallet-connection-runs-in-browsers': [
    { 'packages/wallet-connect/src/protocol/envelope.ts': "import 'node:crypto'" },
  ],
  'features-import-front-files': [
    {
      'apps/auth/src/login/login.tsx': "import '../registration/registration.flow.ts'",
      'apps/auth/src/registration/registration.flow.ts': '',
    },
    {
      'apps/server/src/identity/login.ts': "import type { Lead } from '../lead-portal/lead.ts'",
      'apps/server/src/lead-portal/lead.ts': 'export type Lead = string',
    },
  ],
  'apps-import-front-files': [
    {
      'apps/auth/src/app.tsx': "import './login/login.view.tsx'",
      'apps/auth/src/login/login.view.tsx': '',
    },
  ],
  'demonstration-imported-dynamically': [
    {
      'apps/server/src/server.ts': "import './demonstration/demonstration.ts'",
      'apps/server/src/demonstration/demonstration.ts': '',
    },
    {
      'apps/server/src/server.ts': "import type { Seed } from './demonstration/demonstration.ts'",
      'apps/server/src/demonstration/demonstration.ts': 'export type Seed = string',
    },
  ],
  'demonstration-by-its-front-file': [
    {
      'apps/server/src/server.ts': "await import('./demonstration/seed.ts')",
      'apps/server/src/demonstration/seed.ts': '',
    },
  ],
  'development-chain-only-in-the-demonstration': [
    {
      'apps/server/src/wallet/node.ts':
        "await import('../../../../packages/development-chain/src/development-chain.ts')",
      'packages/development-chain/src/development-chain.ts': '',
    },
  ],
  'gallery-has-no-importers': [
    {
      'apps/auth/src/login/login.tsx': "await import('../gallery/gallery.tsx')",
      'apps/auth/src/gallery/gallery.tsx': '',
    },
  ],
  'flows-are-headless': [
    { 'apps/auth/src/login/login.flow.ts': "import 'react'", ...REACT },
    {
      'apps/auth/src/login/login.flow.ts': "import './hidden.ts'",
      'apps/auth/src/login/hidden.ts': "import '../../../../packages/client/src/client.ts'",
      'packages/client/src/client.ts': '',
    },
    {
      'apps/auth/src/login/login.flow.ts': "import './login.services.ts'",
      'apps/auth/src/login/login.services.ts': '',
    },
  ],
  'flows-import-no-platform': [{ 'apps/auth/src/login/login.flow.ts': "import 'node:fs'" }],
  'services-import-no-views': [
    { 'apps/auth/src/login/login.services.ts': "import 'react'", ...REACT },
    {
      'apps/auth/src/login/login.services.ts': "import './login.view.tsx'",
      'apps/auth/src/login/login.view.tsx': '',
    },
  ],
  'views-import-no-calls': [
    {
      'apps/auth/src/login/login.view.tsx': "import './login.services.ts'",
      'apps/auth/src/login/login.services.ts': '',
    },
    {
      'apps/auth/src/login/login.view.tsx': "import '../../../../packages/client/src/client.ts'",
      'packages/client/src/client.ts': '',
    },
  ],
  'server-without-screens': [
    {
      'apps/server/src/main.ts': "import '../../../packages/flow/src/use-flow.ts'",
      'packages/flow/src/use-flow.ts': "import 'react'",
      ...REACT,
    },
  ],
  'queries-only-in-stores': [
    { 'apps/server/src/identity/login.ts': "import { sql } from 'kysely'\nsql", ...KYSELY },
  ],
  ...Object.fromEntries(
    Object.keys(PACKAGE_DEPENDENCIES).map((name) => [
      `package-${name}`,
      [
        {
          [`packages/${name}/src/a.ts`]: "import '../../unknown/src/b.ts'",
          'packages/unknown/src/b.ts': '',
        },
      ],
    ]),
  ),
}

test('every boundary rule has a fixture that violates it', () => {
  const rules = BOUNDARY_RULES.map(({ name }) => name)
  expect(new Set(Object.keys(VIOLATIONS))).toEqual(new Set(rules))
})

test.each(
  Object.entries(VIOLATIONS).flatMap(([rule, trees]) =>
    trees.map((tree) => ({ rule, tree, first: Object.keys(tree)[0] })),
  ),
)('$rule is reported in $first', async ({ rule, tree }) => {
  const { violations } = await checkBoundaries(writeTree(tree))
  expect(violations).toContainEqual(expect.stringMatching(`^${rule}: `))
})

test('a valid tree has no errors, and all of it is read', async () => {
  const root = writeTree({
    ...KYSELY,
    ...REACT,
    'packages/contracts/package.json': '{"exports":{"./limits":"./src/limits.ts"}}',
    'packages/contracts/src/limits.ts': 'export const LIMIT = 1',
    'apps/auth/src/app.tsx': "import './login/login.tsx'",
    'apps/auth/src/login/login.tsx':
      "import './login.flow.ts'\nimport './login.view.tsx'\nimport '../registration/registration.tsx'",
    'apps/auth/src/login/login.flow.ts': "import '@portico/contracts/limits'",
    'apps/auth/src/login/login.view.tsx': "import 'react'",
    'apps/auth/src/registration/registration.tsx': '',
    'apps/server/src/identity/identity.ts': "import './identity.store.ts'",
    'apps/server/src/identity/login.ts': "import type { Kysely } from 'kysely'",
    'apps/server/src/identity/identity.store.ts': "import 'kysely'\nimport '../database/tables.ts'",
    'apps/server/src/database/tables.ts': "import 'kysely'",
    'apps/server/src/server.ts': "await import('./demonstration/demonstration.ts')",
    'apps/server/src/demonstration/demonstration.ts': "import './seed.ts'",
    'apps/server/src/demonstration/seed.ts': '',
  })
  const { violations, seen, unseen } = await checkBoundaries(root)
  expect({ violations, seen, unseen }).toEqual({ violations: [], seen: 13, unseen: [] })
})

function writeTree(tree: Tree): string {
  const root = mkdtempSync(path.join(tmpdir(), 'portico-boundaries-'))
  folders.push(root)
  for (const [file, content] of Object.entries(tree)) {
    mkdirSync(path.join(root, path.dirname(file)), { recursive: true })
    writeFileSync(path.join(root, file), content)
  }
  mkdirSync(path.join(root, 'node_modules/@portico'), { recursive: true })
  symlinkSync('../../packages/contracts', path.join(root, 'node_modules/@portico/contracts'))
  writeFileSync(path.join(root, 'package.json'), '{"workspaces":["apps/*","packages/*"]}')
  return root
}
