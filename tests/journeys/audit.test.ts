import { deleteOwnAccount } from '@portico/contracts/account-security'
import { sealAudit, verifyAudit } from '@portico/server/audit-chain'
import { openVault } from '@portico/server/vault'
import { expect, test } from 'vitest'
import { ON_POSTGRES } from '../support/test-database.ts'
import { aWorld, newPerson } from '../support/world.ts'

const NODES = ON_POSTGRES ? 2 : 1

test('the audit log is one chain while several nodes write and seal it, and stays whole when an account is deleted', {
  tags: 'database',
}, async () => {
  const owner = newPerson('sealed')
  await using world = await aWorld().withNodes(NODES).withCustomer(owner)
  const vault = openVault(world.config)
  const browser = world.browser()
  await browser.signIn(owner)
  const { id: identityId } = (await world.server.stores.identities.findByEmail(owner.email)) ?? {}
  if (identityId === undefined) throw new Error('The customer has no identity')
  const page = { network: '192.0.2.1', organization: { orgCode: 'FIGURE' } }
  const clock = world.clock.now
  await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const { stores } = world.nodes[index % NODES]?.server ?? world.server
      await stores.audit.record('signed-in', { identityId, at: clock() }, page)
      if (index % 10 === 0) await sealAudit({ stores, vault, clock })
    }),
  )
  await browser.call(deleteOwnAccount, { body: { email: owner.email } })
  const { stores } = world.server
  await sealAudit({ stores, vault, clock })
  const report = await verifyAudit({ stores, vault })
  expect(report).toMatchObject({ errors: [], hasUnsealed: false })
  const rows = await world.query('select sequence, identity_id, kind from audit_events')
  expect(report.lines).toBe(rows.length)
  expect(new Set(rows.map(({ sequence }) => Number(sequence))).size).toBe(rows.length)
  // Deletion keeps the lines of the person, who is only an ID in them.
  const ofOwner = rows.filter((row) => row.identity_id === identityId)
  expect(ofOwner.length).toBeGreaterThan(200)
  expect(ofOwner.map(({ kind }) => kind)).toContain('account-deleted')
})
