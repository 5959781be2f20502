import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type * as GroupMessages from 'cosmjs-types/cosmos/group/v1/tx'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { cosmosTypes, moduleOf, UNUSED } from './cosmos-types.ts'
import { ROOT } from './setup/processes.mjs'

const require = createRequire(import.meta.url)
const GROUP_MESSAGES = 'cosmjs-types/cosmos/group/v1/tx'

/** A script with the group module's messages for a bundle's entry, built with and without the rewriting. */
async function bundled(use: string, rewrites: boolean): Promise<string> {
  const entry = require.resolve(GROUP_MESSAGES).replace('tx.js', 'entry.mjs')
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: false,
      lib: { entry, formats: ['es'] },
    },
    plugins: [
      ...(rewrites ? [cosmosTypes()] : []),
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? entry : undefined),
        load: (id) =>
          id === entry ? `import * as tx from '${GROUP_MESSAGES}'\n${use}` : undefined,
      },
    ],
  })
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []))
  return outputs.map((each) => (each.type === 'chunk' ? each.code : '')).join('')
}

test('rewritten definitions encode and decode the same, from JSON too', async () => {
  const original: typeof GroupMessages = require(GROUP_MESSAGES)
  const code = await bundled('export const { MsgSubmitProposal, MsgVote, Exec } = tx', true)
  const rewritten: typeof original = await import(
    `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
  )
  const json = {
    groupPolicyAddress: 'tp1group',
    proposers: ['tp1a', 'tp1b'],
    metadata: 'ä',
    messages: [{ typeUrl: '/a.B', value: 'AQID' }],
    exec: 'EXEC_TRY',
  }
  const bytes = original.MsgSubmitProposal.encode(
    original.MsgSubmitProposal.fromJSON(json),
  ).finish()
  const { MsgSubmitProposal, MsgVote, Exec } = rewritten
  expect(MsgSubmitProposal.encode(MsgSubmitProposal.fromJSON(json)).finish()).toEqual(bytes)
  expect(MsgSubmitProposal.decode(bytes)).toEqual(original.MsgSubmitProposal.decode(bytes))
  const vote = {
    proposalId: 2n ** 64n - 1n,
    voter: 'tp1ä',
    option: 1,
    metadata: '',
    exec: Exec.EXEC_TRY,
  }
  const voteBytes = original.MsgVote.encode(vote).finish()
  expect(MsgVote.encode(vote).finish()).toEqual(voteBytes)
  expect(MsgVote.decode(voteBytes)).toEqual(vote)
})

test('a bundle contains only the messages that are used', async () => {
  const use = 'export const vote = tx.MsgVote.encode'
  const [smaller, whole] = await Promise.all([bundled(use, true), bundled(use, false)])
  expect(whole).toContain('/cosmos.group.v1.MsgLeaveGroup')
  expect(smaller).not.toContain('/cosmos.group.v1.MsgLeaveGroup')
  expect(smaller.length).toBeLessThan(whole.length / 3)
})

test('definitions in an unexpected form are rejected instead of broken', () => {
  const code = readFileSync(require.resolve(GROUP_MESSAGES), 'utf8')
  expect(moduleOf(code, UNUSED)).not.toMatch(/\bexports\./)
  expect(() => moduleOf('module.exports.MsgSend = {}', UNUSED)).toThrow('not known')
})

test('no code for browsers calls a function that the rewriting removes', () => {
  const files = globSync('packages/{chain-client,wallet-connect,wallet-kit}/src/**/*.{ts,tsx}', {
    cwd: ROOT,
    exclude: ['**/*.test.ts', '**/*.test.tsx'],
  })
  const sources = files.map((file) => readFileSync(join(ROOT, file), 'utf8'))
  const users = sources.filter((source) => source.includes('cosmjs-types/'))
  expect(users.length).toBeGreaterThan(4)
  for (const name of UNUSED) {
    expect(users.filter((source) => source.includes(`.${name}(`))).toEqual([])
  }
})
