import type { PassportFile, SavedSection } from '@portico/contracts/passport'
import { flow } from '@portico/flow'
import type { Failure } from '@portico/shell/failure'
import { UNEXPECTED } from '@portico/shell/failure'

/** How much of a file has been uploaded. Without a `fileUuid` the upload has not begun. */
interface Progress {
  readonly fileUuid: string | undefined
  readonly receivedBytes: number
}

/** The upload of one file, which resumes where it was interrupted. */
export type State =
  | ({ step: 'sending' } & Progress)
  | ({ step: 'interrupted'; failure: Failure } & Progress)
  | { step: 'refused'; failure: Failure }
  | { step: 'canceled' }
  | { step: 'complete'; file: PassportFile; section: SavedSection }

export type Event =
  | { type: 'progressed'; fileUuid: string; receivedBytes: number }
  | { type: 'completed'; file: PassportFile; section: SavedSection }
  /** The connection or the server failed. */
  | { type: 'interrupted'; failure: Failure }
  /** The server rejected the file and deleted the uploaded parts. */
  | { type: 'refused'; failure: Failure }
  | { type: 'continued' }
  | { type: 'canceled' }

export type Command =
  | { type: 'send'; fileUuid: string | undefined }
  | { type: 'discard'; fileUuid: string }

const discarded = ({ fileUuid }: Progress): readonly [State, ...Command[]] =>
  fileUuid === undefined
    ? [{ step: 'canceled' }]
    : [{ step: 'canceled' }, { type: 'discard', fileUuid }]

/** The flow of an upload. Leaving the step `sending` aborts the call. */
export const uploadFile = flow<State, Event, Command, Progress>({
  name: 'upload-file',
  begin: (progress) => [
    { step: 'sending', ...progress },
    { type: 'send', fileUuid: progress.fileUuid },
  ],
  failed: { type: 'interrupted', failure: UNEXPECTED },
  on: {
    sending: {
      progressed: (_, { fileUuid, receivedBytes }) => [
        { step: 'sending', fileUuid, receivedBytes },
      ],
      completed: (_, { file, section }) => [{ step: 'complete', file, section }],
      interrupted: ({ fileUuid, receivedBytes }, { failure }) => [
        { step: 'interrupted', fileUuid, receivedBytes, failure },
      ],
      refused: (_, { failure }) => [{ step: 'refused', failure }],
      canceled: (state) => discarded(state),
    },
    interrupted: {
      continued: ({ fileUuid, receivedBytes }) => [
        { step: 'sending', fileUuid, receivedBytes },
        { type: 'send', fileUuid },
      ],
      canceled: (state) => discarded(state),
    },
    refused: {},
    canceled: {},
    complete: {},
  },
})
