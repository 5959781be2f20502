import type { SavedSection } from '@portico/contracts/passport'
import type { PassportSection } from '@portico/contracts/passport-sections'
import { flow, type Next } from '@portico/flow'
import type { Answers } from '@portico/rules/passport-answers'
import type { Failure } from '@portico/shell/failure'
import { UNEXPECTED } from '@portico/shell/failure'

/** A section with its saved and unsaved answers. */
export interface Draft extends Pick<SavedSection, 'answers' | 'section' | 'version'> {
  readonly savedAt: number | undefined
  readonly unsaved: Answers
  /** Answers that were changed both here (`mine`) and on another device (`theirs`). */
  readonly conflicts: Readonly<Record<string, { readonly mine: string; readonly theirs: string }>>
}

/** Filling in a passport. Answers are saved one call at a time, and none are lost when a call fails. */
export type State =
  | { step: 'saved'; drafts: readonly Draft[]; failure?: Failure | undefined }
  | { step: 'saving'; drafts: readonly Draft[]; sent: Sent }
  | { step: 'failed'; drafts: readonly Draft[]; failure: Failure }
  | { step: 'submitting'; drafts: readonly Draft[] }
  | { step: 'submitted' }

interface Sent {
  readonly section: PassportSection
  readonly version: number
  readonly changes: Answers
}

export type Event =
  | { type: 'answered'; section: PassportSection; name: string; value: string }
  | { type: 'saved'; section: SavedSection }
  | { type: 'changedElsewhere'; section: SavedSection }
  /** Files of the section were added or removed. */
  | { type: 'filesChanged'; section: SavedSection }
  | { type: 'conflictResolved'; section: PassportSection; name: string; keep: 'mine' | 'theirs' }
  | { type: 'refused'; failure: Failure }
  | { type: 'retried' }
  | { type: 'submitRequested' }
  | { type: 'submitted' }

export type Command =
  | ({ type: 'save' } & Sent)
  | {
      type: 'submit'
      sections: readonly Pick<Draft, 'section' | 'version'>[]
    }

type Transition = Next<State, Command>

const hasUnsaved = ({ unsaved }: Draft) => Object.keys(unsaved).length > 0

/** Saves the next unsaved answers, of one section at a time. */
function proceed(drafts: readonly Draft[]): Transition {
  const next = drafts.find(hasUnsaved)
  if (next === undefined) return [{ step: 'saved', drafts }]
  const { section, version, unsaved: changes } = next
  const sent = { section, version, changes }
  return [
    { step: 'saving', drafts, sent },
    { type: 'save', ...sent },
  ]
}

const changed = (
  drafts: readonly Draft[],
  section: PassportSection,
  change: (draft: Draft) => Draft,
): readonly Draft[] => drafts.map((draft) => (draft.section === section ? change(draft) : draft))

const answer = (
  drafts: readonly Draft[],
  { section, name, value }: Extract<Event, { type: 'answered' }>,
) =>
  changed(drafts, section, (draft) => ({
    ...draft,
    unsaved: { ...draft.unsaved, [name]: value },
    conflicts: without(draft.conflicts, name),
  }))

const resolveConflict = (
  drafts: readonly Draft[],
  { section, name, keep }: Extract<Event, { type: 'conflictResolved' }>,
) =>
  changed(drafts, section, (draft) => {
    const conflict = draft.conflicts[name]
    return {
      ...draft,
      conflicts: without(draft.conflicts, name),
      unsaved:
        keep === 'mine' && conflict ? { ...draft.unsaved, [name]: conflict.mine } : draft.unsaved,
    }
  })

function without<Value>(
  record: Readonly<Record<string, Value>>,
  name: string,
): Readonly<Record<string, Value>> {
  const { [name]: _, ...rest } = record
  return rest
}

/** The sent answers are saved; later ones are not. */
function acknowledge(
  draft: Draft,
  { answers, version, savedAt }: SavedSection,
  sent: Answers,
): Draft {
  const entries = Object.entries(draft.unsaved).filter(([name, value]) => sent[name] !== value)
  const unsaved = Object.fromEntries(entries)
  // A file change has already returned newer answers.
  if (version < draft.version) return { ...draft, unsaved }
  return { ...draft, answers, version, savedAt, unsaved }
}

/** Applies the saved answers. Only answers that were changed on both devices are conflicts. */
function merge(draft: Draft, { answers, version, savedAt }: SavedSection): Draft {
  if (version <= draft.version) return draft
  const unsaved: Record<string, string> = {}
  const conflicts = { ...draft.conflicts }
  for (const [name, mine] of Object.entries(draft.unsaved)) {
    const theirs = answers[name] ?? ''
    if (theirs === mine) continue
    if (theirs === (draft.answers[name] ?? '')) unsaved[name] = mine
    else conflicts[name] = { mine, theirs }
  }
  return { ...draft, answers, version, savedAt, unsaved, conflicts }
}

const mergeFiles = (drafts: readonly Draft[], { section }: { section: SavedSection }) =>
  changed(drafts, section.section, (draft) => merge(draft, section))

/** The flow of the passport forms (§7.6). */
export const fillIn = flow<State, Event, Command, { drafts: readonly Draft[] }>({
  name: 'fill-in-passport',
  begin: ({ drafts }) => [{ step: 'saved', drafts }],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    saved: {
      answered: ({ drafts }, event) => proceed(answer(drafts, event)),
      filesChanged: ({ drafts }, event) => proceed(mergeFiles(drafts, event)),
      conflictResolved: ({ drafts }, event) => proceed(resolveConflict(drafts, event)),
      submitRequested: (state) => {
        const { drafts } = state
        const hasConflict = drafts.some(({ conflicts }) => Object.keys(conflicts).length > 0)
        if (hasConflict) return [state]
        const sections = drafts.map(({ section, version }) => ({ section, version }))
        return [
          { step: 'submitting', drafts },
          { type: 'submit', sections },
        ]
      },
    },
    saving: {
      answered: (state, event) => [{ ...state, drafts: answer(state.drafts, event) }],
      filesChanged: (state, event) => [{ ...state, drafts: mergeFiles(state.drafts, event) }],
      conflictResolved: (state, event) => [
        { ...state, drafts: resolveConflict(state.drafts, event) },
      ],
      saved: ({ drafts, sent }, { section }) =>
        proceed(
          changed(drafts, sent.section, (draft) => acknowledge(draft, section, sent.changes)),
        ),
      changedElsewhere: ({ drafts, sent }, { section }) =>
        proceed(changed(drafts, sent.section, (draft) => merge(draft, section))),
      refused: ({ drafts }, { failure }) => [{ step: 'failed', drafts, failure }],
    },
    failed: {
      answered: ({ drafts }, event) => proceed(answer(drafts, event)),
      filesChanged: (state, event) => [{ ...state, drafts: mergeFiles(state.drafts, event) }],
      conflictResolved: ({ drafts }, event) => proceed(resolveConflict(drafts, event)),
      retried: ({ drafts }) => proceed(drafts),
    },
    submitting: {
      // Kept in case the submission is refused.
      answered: (state, event) => [{ ...state, drafts: answer(state.drafts, event) }],
      filesChanged: (state, event) => [{ ...state, drafts: mergeFiles(state.drafts, event) }],
      submitted: () => [{ step: 'submitted' }],
      refused: ({ drafts }, { failure }) => [
        { step: drafts.some(hasUnsaved) ? 'failed' : 'saved', drafts, failure },
      ],
    },
    submitted: {},
  },
})
