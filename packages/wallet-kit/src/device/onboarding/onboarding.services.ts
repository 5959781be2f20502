import type { Services } from '@portico/flow'
import { failureOf } from '@portico/shell/failure-of'
import type { DeviceKeyKeeper } from '../../device-wallet.ts'
import type { Command, Event } from './onboarding.flow.ts'

/** The word list is large, so it is loaded when it is needed. */
const recoveryWords = () => import('@portico/keys/mnemonic')

/** How many words the user is asked for after writing them down. */
const CHECKED_WORDS = 3

export function onboardingServices({
  keeper,
}: {
  readonly keeper: Pick<DeviceKeyKeeper, 'createVault'>
}): Services<Event, Command> {
  return {
    async generateWords({ count }) {
      const { newWords } = await recoveryWords()
      return { type: 'wordsGenerated', words: newWords(count).split(' ') }
    },
    drawPositions: ({ count }) => ({ type: 'positionsDrawn', positions: draw(count) }),
    async readWords({ words }) {
      const { wordsOf, wordsProblem } = await recoveryWords()
      const read = wordsOf(words)
      const problem = wordsProblem(read)
      return problem === undefined
        ? { type: 'wordsRead', words: read }
        : { type: 'wordsNotRead', problem }
    },
    async save({ words, protection: { passphrase, accountName } }) {
      try {
        // The key keeper notifies the wallet of its new vault.
        await keeper.createVault({ words: words.join(' '), passphrase, accountName })
        return undefined
      } catch (error) {
        return { type: 'refused', failure: failureOf(error) }
      }
    },
  }
}

/** Different random positions in ascending order. */
function draw(count: number): number[] {
  const positions = Array.from({ length: count }, (_, position) => position)
  const random = crypto.getRandomValues(new Uint32Array(count))
  return positions
    .sort((left, right) => (random[left] ?? 0) - (random[right] ?? 0))
    .slice(0, CHECKED_WORDS)
    .sort((left, right) => left - right)
}
