/** `portico-admin` (15): the command in its own process, against a real server. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServiceToken, revokeServiceToken } from '@portico/contracts/admin/operators'
import type { Permission } from '@portico/contracts/admin/permissions'
import { buildServer } from '@portico/server/server'
import { expect, test } from 'vitest'
import { listen } from '../support/listen.ts'
import { anOperator } from '../support/operator.ts'
import { PEOPLE } from '../support/people.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { aWorld, refusal } from '../support/world.ts'

const PROGRAM = fileURLToPath(new URL('../../packages/admin/src/portico-admin.ts', import.meta.url))
const TOKEN_TOOL = fileURLToPath(new URL('../../tools/service-token.ts', import.meta.url))
const REASON = 'Ticket 4711'

interface Result {
  readonly code: number
  readonly out: string
  readonly error: string
}

/** Runs a program with only these environment variables. */
function run(
  program: string,
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<Result> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, ...environment }
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { env }, (failure, out, error) => {
      resolve({ code: failure === null ? 0 : Number(failure.code), out, error })
    })
  })
}

/** Runs `portico-admin`; the URL and the token are only in its environment. */
const portico = (environment: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  run(PROGRAM, environment, args)

test('15 the first service token is created, listed and revoked without the console, and is limited like any other', async () => {
  await using world = await aWorld()
  // The embedded database belongs to one process.
  await world.server.close()
  const { databaseUrl } = world.config
  const environment = {
    DATA_DIR: world.dataDir,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  }
  const tokens = (...args: string[]) => run(TOKEN_TOOL, environment, args)
  const reason = ['--reason', REASON]
  const scope = ['people.read', '--organizations', 'FIGURE']
  const [first, second] = [
    await tokens('create', 'first', ...scope, ...reason),
    await tokens('create', 'second', ...scope, ...reason),
  ]
  expect(first).toMatchObject({ code: 0, out: expect.stringMatching(/^ptk_\S+\n$/) })
  const listed = (await tokens('list')).out.trimEnd().split('\n')
  expect(listed).toHaveLength(2)
  const revoked = listed.find((line) => /  second  until .* people\.read for FIGURE$/.test(line))
  const [id = ''] = revoked?.split('  ') ?? []
  expect((await tokens('revoke', id, ...reason)).out).toBe('The token is revoked.\n')
  for (const [args, text] of [
    [['create', 'more', 'tokens.write', ...reason], 'no token may have'],
    [['create', 'more', 'people.read', ...reason, '--organizations', 'NO_SUCH'], 'does not exist'],
    [['create', 'more', 'people.read'], 'reason'],
    [['create', 'more', 'people.read', ...reason, '--days', '400'], 'number from 1 to 365'],
    [['create', 'more', 'people.frobnicate', ...reason], 'people.frobnicate is not a permission'],
    [['create'], 'npm run service-token -- create'],
  ] as const) {
    const refused = await tokens(...args)
    expect(refused).toMatchObject({ code: 1, out: '', error: expect.stringContaining(text) })
  }

  const server = await buildServer(world.config, world.parts)
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.app.server.address() as AddressInfo // A listening TCP server has this type.
  const account = (token: string) => ({
    PORTICO_URL: `http://127.0.0.1:${port}`,
    PORTICO_ADMIN_TOKEN: token.trim(),
  })
  const shown = await portico(account(first.out), 'token', '--json')
  expect(JSON.parse(shown.out)).toMatchObject({
    name: 'first',
    permissions: [{ permission: 'people.read', scope: { organizationCodes: ['FIGURE'] } }],
  })
  expect((await portico(account(second.out), 'token')).code).toBe(3)
  const events = await world.query(
    "select kind, operator_id from audit_events where kind like 'service-token-%' order by created_at",
  )
  expect(events).toEqual(
    ['created', 'created', 'revoked'].map((what) => ({
      kind: `service-token-${what}`,
      operator_id: 'command line',
    })),
  )
  await server.close()
})

test('15 the command line unlocks a person, exports the audit log, publishes a banner and says what to do about errors', async () => {
  await using world = await aWorld()
  using folder = temporaryFolder()
  const admin = await anOperator(world, 'admin')
  const tokenFor = async (name: string, permissions: Permission[], codes = ['*']) => {
    const body = { name, permissions, organizationCodes: codes, days: 1, reason: REASON }
    return admin.browser.call(createServiceToken, { body })
  }
  const { token, tokenUuid } = await tokenFor('scripts', [
    'people.read',
    'people.write',
    'banners.write',
    'audit.read',
  ])
  const account = { PORTICO_URL: world.url, PORTICO_ADMIN_TOKEN: token }
  const { email, password } = PEOPLE.locked

  // People: lars is unlocked once, by his address, and the audit log has the token and the reason.
  const found = await portico(account, 'people', 'find', email, '--json')
  const person = JSON.parse(found.out) as { identityUuid: string; lockedAt: number }
  expect(person.lockedAt).toBeGreaterThan(0)
  // The beginning of an address finds him, but is not enough to act on him.
  const part = email.slice(0, -2)
  expect((await portico(account, 'people', 'find', part, '--json')).out).toBe(found.out)
  const similar = await portico(account, 'people', 'unlock', part, '--reason', REASON)
  expect(similar).toMatchObject({ code: 4, out: '' })
  const unlock = ['people', 'unlock', email, '--reason', REASON]
  expect(await portico(account, ...unlock)).toEqual({
    code: 0,
    out: `${email} is unlocked.\n`,
    error: '',
  })
  expect((await portico(account, ...unlock)).out).toMatch(/^Nothing to change/)
  await world.browser().signIn({ email, password })
  const shown = await portico(account, 'people', 'show', person.identityUuid)
  expect(shown.out).toContain(`email: ${email}`)
  expect(shown.out).toContain(`reason: ${REASON}`)
  expect(shown.out).toContain('operator: scripts')

  // The audit log, as a file that is complete or absent.
  const file = join(folder.path, 'audit.ndjson')
  const about = ['--person', email, '--from', '2020-01-01']
  expect(await portico(account, 'audit', 'export', ...about, '--out', file)).toEqual({
    code: 0,
    out: '',
    error: '',
  })
  expect(readdirSync(folder.path)).toEqual(['audit.ndjson'])
  const lines = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { operatorId: string | null; identityUuid: string })
  expect(new Set(lines.map(({ identityUuid }) => identityUuid))).toEqual(
    new Set([person.identityUuid]),
  )
  expect(lines.map(({ operatorId }) => operatorId)).toContain(tokenUuid)
  const csv = await portico(account, 'audit', 'export', '--format', 'csv', ...about)
  // The header, and the entry of this download, which is about the person too.
  expect(csv.out.trimEnd().split('\r\n')).toHaveLength(lines.length + 2)
  const nowhere = join(folder.path, 'nowhere/audit.csv')
  expect(await portico(account, 'audit', 'export', ...about, '--out', nowhere)).toMatchObject({
    code: 1,
    error: expect.stringMatching(/^ENOENT: no such file or directory.*nowhere.*\n$/),
  })
  const listed = await portico(account, 'audit', 'search', ...about, '--json', '--limit', '1')
  expect(listed.out.trimEnd().split('\n')).toHaveLength(1)

  // A banner from a file; an invalid one leaves nothing behind.
  const banner = join(folder.path, 'banner.json')
  const publish = ['banners', 'publish', banner, '--reason', REASON]
  writeFileSync(banner, JSON.stringify({ message: 'Maintenance', apps: ['login'] }))
  const invalid = await portico(account, ...publish)
  expect(invalid).toMatchObject({ code: 1, error: expect.stringContaining('variant') })
  writeFileSync(
    banner,
    JSON.stringify({
      message: 'Maintenance on Sunday',
      apps: ['login'],
      variant: 'warn',
      dismissable: true,
      organizationCodes: ['HARBORLINE'],
    }),
  )
  const published = await portico(account, ...publish, '--json')
  const { id } = JSON.parse(published.out) as { id: string }
  const banners = await portico(account, 'banners', 'list', '--json', '--all')
  const items = banners.out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; draft: unknown; isShown: boolean })
  expect(items.find((each) => each.id === id)).toMatchObject({ isShown: true, draft: null })
  expect(items.filter(({ draft }) => draft !== null)).toEqual([])
  expect((await portico(account, 'banners', 'end', id, '--reason', REASON)).code).toBe(0)

  // What a token may not do or see.
  const denied = await portico(account, 'organizations', 'list')
  expect(denied).toMatchObject({ code: 3, out: '' })
  expect(denied.error).toContain('It needs the permission organizations.read')
  const limited = await tokenFor('limited', ['people.read'], ['HARBORLINE'])
  const other = { ...account, PORTICO_ADMIN_TOKEN: limited.token }
  expect((await portico(other, 'people', 'find', email, '--json')).out).toBe('')
  for (const search of [email, person.identityUuid]) {
    const unseen = await portico(other, 'people', 'show', search)
    expect(unseen).toMatchObject({ code: 4, out: '' })
  }
  const creating = tokenFor('creator', ['tokens.write'])
  expect((await refusal(creating)).code).toBe('not-permitted')

  // Wrong usage, a revoked token, a server that is down, and one that is not Portico.
  const usage = await portico({ PORTICO_URL: world.url }, 'token')
  expect(usage).toMatchObject({ code: 2, error: expect.stringContaining('PORTICO_ADMIN_TOKEN') })
  await admin.browser.call(revokeServiceToken, { body: { tokenUuid, reason: REASON } })
  const revoked = await portico(account, ...unlock)
  expect(revoked).toMatchObject({ code: 3, out: '' })
  expect(revoked.error).toContain('create another one with the same name')
  const page = createServer((_request, response) => response.end('<html>'))
  const port = await listen(page)
  const elsewhere = { ...account, PORTICO_URL: `http://127.0.0.1:${port}` }
  const notPortico = await portico(elsewhere, 'token')
  expect(notPortico).toMatchObject({ code: 1, error: expect.stringContaining('JSON') })
  page.closeAllConnections()
  await new Promise((resolve) => page.close(resolve))
  const down = await portico(elsewhere, 'token')
  expect(down).toMatchObject({ code: 5, out: '', error: expect.stringContaining('ECONNREFUSED') })
  for (const { error } of [usage, denied, revoked, notPortico, down]) {
    expect(error.trimEnd().split('\n')).toHaveLength(1)
    expect(error).not.toContain(token)
  }
})

test('15 the command line edits organizations as files, runs experiments, reads insight and acts on people', async () => {
  await using world = await aWorld()
  using folder = temporaryFolder()
  const admin = await anOperator(world, 'admin')
  const { token } = await admin.browser.call(createServiceToken, {
    body: {
      name: 'operations',
      permissions: [
        'people.read',
        'people.write',
        'organizations.read',
        'organizations.write',
        'organizations.publish',
        'experiments.read',
        'experiments.write',
        'insight.read',
      ],
      organizationCodes: ['*'],
      days: 1,
      reason: REASON,
    },
  })
  const account = { PORTICO_URL: world.url, PORTICO_ADMIN_TOKEN: token }
  const reason = ['--reason', REASON]
  const done = async (...args: string[]) => {
    const { code, out, error } = await portico(account, ...args)
    expect({ code, error }, args.join(' ')).toEqual({ code: 0, error: '' })
    return out
  }

  // An organization as a file: exported, changed, imported as a draft, published and undone.
  expect(await done('organizations', 'list', 'HARBORLINE')).toMatch(/^CODE .*\nHARBORLINE /)
  await done('organizations', 'export', 'HARBORLINE', folder.path)
  const file = join(folder.path, 'organizations/harborline.json')
  const content = JSON.parse(readFileSync(file, 'utf8')) as object
  writeFileSync(file, JSON.stringify({ ...content, brandColor: '#123456' }))
  expect(await done('organizations', 'import', folder.path)).toMatch(/HARBORLINE +yes/)
  const publish = ['organizations', 'publish', 'HARBORLINE', ...reason]
  expect(await done(...publish)).toBe('HARBORLINE is published as version 1.\n')
  expect(await portico(account, ...publish)).toMatchObject({
    code: 1,
    error: 'HARBORLINE has no draft to publish.\n',
  })
  expect(await done('organizations', 'show', 'HARBORLINE')).toContain('brandColor: #123456')
  expect(await done('organizations', 'undo', 'HARBORLINE', ...reason)).toBe(
    'HARBORLINE is back to its file, published as version 2.\n',
  )
  const history = await done('organizations', 'history', 'HARBORLINE', '--json')
  expect(history.trimEnd().split('\n')).toHaveLength(2)

  // An experiment.
  const start = ['experiments', 'start', 'broker-agent-login', '--outcome', 'registration']
  const wrong = await portico(account, ...start, '--percent', '0', ...reason)
  expect(wrong).toMatchObject({ code: 1, error: expect.stringContaining('percentage') })
  const { runId } = JSON.parse(
    await done(...start, '--percent', '50', '--labels', 'apollo', '--json', ...reason),
  ) as { runId: string }
  expect(await done('experiments', 'list')).toContain(`${runId} running`)
  expect(await done('experiments', 'result', runId)).toContain('kind: not-enough-data')
  await done('experiments', 'end', runId, '--afterwards', 'file', ...reason)
  const ended = await portico(
    account,
    'experiments',
    'end',
    runId,
    '--afterwards',
    'file',
    ...reason,
  )
  expect(ended).toMatchObject({ code: 1, error: 'This run has already ended.\n' })

  // Insight.
  const days = ['--from', '2026-11-01', '--to', '2026-11-07']
  const csv = await done('insight', 'funnel', 'sign-in', ...days, '--csv')
  expect(csv.split('\r\n').length).toBeGreaterThan(2)
  expect(await done('insight', 'series', 'visits', ...days)).toMatch(/^NAME +TOTAL +BEFORE\n/)

  // Acts on people.
  const { email, password } = PEOPLE.totp
  await done('people', 'reset-factor', email, 'totp', ...reason)
  await world.browser().signIn({ email, password })
  await done('people', 'lock', email, ...reason)
  await done('people', 'move', email, 'HARBORLINE', ...reason)
  const found = JSON.parse(await done('people', 'find', email, '--json')) as object
  expect(found).toMatchObject({ organizationCode: 'HARBORLINE', lockedAt: expect.any(Number) })
  expect(await done('people', 'export', email, ...reason)).toContain(email)
  await done('people', 'delete', email, ...reason)
  expect((await portico(account, 'people', 'show', email)).code).toBe(4)
})

test('15 an act that needs a second operator exits with 6, and the token can follow and withdraw it', async () => {
  await using world = await aWorld().withSettings({ SECOND_OPERATOR_ACTS: 'lockPerson' })
  const admin = await anOperator(world, 'admin')
  const { token } = await admin.browser.call(createServiceToken, {
    body: {
      name: 'desk',
      permissions: ['people.read', 'people.write'],
      organizationCodes: ['*'],
      days: 1,
      reason: REASON,
    },
  })
  const account = { PORTICO_URL: world.url, PORTICO_ADMIN_TOKEN: token }
  const { email } = PEOPLE.totp
  const lock = ['people', 'lock', email, '--reason', REASON] as const
  const asked = await portico(account, ...lock, '--json')
  expect(asked).toMatchObject({ code: 6, error: '' })
  const { requestUuid } = JSON.parse(asked.out) as { requestUuid: string }
  expect(await portico(account, ...lock)).toMatchObject({ code: 1, out: '' })
  const waiting = await portico(account, 'requests', 'list', '--waiting')
  expect(waiting.out).toContain(`${requestUuid}  waiting  lockPerson  ${email}`)
  const withdrawn = await portico(account, 'requests', 'withdraw', requestUuid, '--reason', REASON)
  expect(withdrawn).toMatchObject({ code: 0, out: `Request ${requestUuid} is withdrawn.\n` })
  const shown = await portico(account, 'requests', 'show', requestUuid)
  expect(shown.out).toContain('state: withdrawn')
  expect(await portico(account, ...lock)).toMatchObject({
    code: 6,
    out: expect.stringMatching(
      /^Nothing has changed yet. Another operator has to approve request /,
    ),
  })
})
