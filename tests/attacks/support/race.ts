/** Many simultaneous attempts from unknown browsers, spread over the nodes. */
import type { Browser } from '../../support/browser.ts'
import { outcomes } from '../../support/race.ts'
import { ON_POSTGRES } from '../../support/test-database.ts'
import { aWorld } from '../../support/world.ts'

export type World = Awaited<ReturnType<typeof aWorld>>
export type Attempt = (browser: Browser, racer: number) => Promise<unknown>

export const RACERS = Array.from({ length: 200 }, (_, index) => index)

/** Attempts before the lockout. */
export const ATTEMPTS_ALLOWED = 10

/** A world attacked on several nodes at once, if the database allows several. */
export const underAttack = () => aWorld().withNodes(ON_POSTGRES ? 2 : 1)

/** Counts the outcomes of 200 simultaneous attempts. */
export const race = (world: World, attempt: Attempt) =>
  outcomes(
    RACERS.map((racer) =>
      attempt(world.browser({ node: () => world.nodes[racer % world.nodes.length] }), racer),
    ),
  )

/** The recorded attempts by outcome. */
export async function countedAttempts(
  world: World,
): Promise<{ verified: number; refused: number }> {
  const rows = await world.query(
    "select count as made, refused from attempts where count > 0 and key like 'network %'",
  )
  const sum = (column: string) => rows.reduce((total, row) => total + Number(row[column]), 0)
  return { verified: sum('made'), refused: sum('refused') }
}

/** A code that differs from this one. */
export const otherThan = (code: string) => (code === '111111' ? '222222' : '111111')
