import { flow, type Next } from '@portico/flow'
import type { WordsProblem } from '@portico/keys/mnemonic'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

/** What protects and names the new wallet. */
export interface Protection {
  readonly passphrase: string
  readonly accountName: string
}

type WordCount = 12 | 24

/** Creating or restoring a wallet. Until it is saved everything is in memory only. */
export type State =
  | { step: 'welcome' }
  | { step: 'protecting'; protection?: Protection | undefined }
  | { step: 'generating'; protection: Protection; count: WordCount }
  | { step: 'writing'; protection: Protection; words: readonly string[]; isShown: boolean }
  /** The user proves that the words at these positions, counted from 0, were written down. */
  | {
      step: 'checking'
      protection: Protection
      words: readonly string[]
      positions: readonly number[]
      wrongAttempts: number
      failure?: Failure | undefined
    }
  | { step: 'entering'; words: string; problem?: WordsProblem | undefined }
  | {
      step: 'protectingRestored'
      words: readonly string[]
      protection?: Protection | undefined
      failure?: Failure | undefined
    }
  | { step: 'saving'; words: readonly string[]; protection: Protection; from: Origin }

/** The step to return to if the wallet could not be saved. */
type Origin = Extract<State, { step: 'checking' | 'protectingRestored' }>

export type Event =
  | { type: 'createChosen' }
  | { type: 'restoreChosen' }
  | { type: 'back' }
  | { type: 'protected'; protection: Protection }
  | { type: 'wordsGenerated'; words: readonly string[] }
  | { type: 'countChosen'; count: WordCount }
  | { type: 'wordsShown' }
  | { type: 'writtenDown' }
  | { type: 'positionsDrawn'; positions: readonly number[] }
  | { type: 'wordsConfirmed'; answers: readonly string[] }
  | { type: 'wordsEntered'; words: string }
  | { type: 'wordsRead'; words: readonly string[] }
  | { type: 'wordsNotRead'; problem: WordsProblem }
  | { type: 'refused'; failure: Failure }

export type Command =
  | { type: 'generateWords'; count: WordCount }
  | { type: 'drawPositions'; count: number }
  | { type: 'readWords'; words: string }
  | { type: 'save'; words: readonly string[]; protection: Protection }

const generate = (protection: Protection, count: WordCount): Next<State, Command> => [
  { step: 'generating', protection, count },
  { type: 'generateWords', count },
]

const save = (
  from: Origin,
  words: readonly string[],
  protection: Protection,
): Next<State, Command> => [
  { step: 'saving', words, protection, from },
  { type: 'save', words, protection },
]

const DEFAULT_COUNT = 12

export const onboarding = flow<State, Event, Command, null>({
  name: 'onboarding',
  begin: () => [{ step: 'welcome' }],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    welcome: {
      createChosen: () => [{ step: 'protecting' }],
      restoreChosen: () => [{ step: 'entering', words: '' }],
    },
    protecting: {
      back: () => [{ step: 'welcome' }],
      protected: (_, { protection }) => generate(protection, DEFAULT_COUNT),
    },
    generating: {
      wordsGenerated: ({ protection }, { words }) => [
        { step: 'writing', protection, words, isShown: false },
      ],
      refused: ({ protection }) => [{ step: 'protecting', protection }],
    },
    writing: {
      back: ({ protection }) => [{ step: 'protecting', protection }],
      wordsShown: (state) => [{ ...state, isShown: true }],
      // New words, which were not shown yet.
      countChosen: ({ protection }, { count }) => generate(protection, count),
      writtenDown: (state) =>
        state.isShown ? [state, { type: 'drawPositions', count: state.words.length }] : [state],
      positionsDrawn: (state, { positions }) => {
        const { protection, words, isShown } = state
        return isShown
          ? [{ step: 'checking', protection, words, positions, wrongAttempts: 0 }]
          : [state]
      },
    },
    checking: {
      back: ({ protection, words }) => [{ step: 'writing', protection, words, isShown: false }],
      wordsConfirmed(state, { answers }) {
        const { words, positions, protection } = state
        const isRight = positions.every((position, index) => answers[index] === words[position])
        return isRight
          ? save({ ...state, failure: undefined }, words, protection)
          : [
              { ...state, failure: undefined, wrongAttempts: state.wrongAttempts + 1 },
              { type: 'drawPositions', count: words.length },
            ]
      },
      positionsDrawn: (state, { positions }) => [{ ...state, positions }],
    },
    entering: {
      back: () => [{ step: 'welcome' }],
      wordsEntered: (_, { words }) => [
        { step: 'entering', words },
        { type: 'readWords', words },
      ],
      wordsRead: (_, { words }) => [{ step: 'protectingRestored', words }],
      wordsNotRead: (state, { problem }) => [{ ...state, problem }],
    },
    protectingRestored: {
      back: ({ words }) => [{ step: 'entering', words: words.join(' ') }],
      protected: (state, { protection }) =>
        save({ ...state, protection, failure: undefined }, state.words, protection),
    },
    saving: {
      refused: ({ from }, { failure }) => [{ ...from, failure }],
    },
  },
})
