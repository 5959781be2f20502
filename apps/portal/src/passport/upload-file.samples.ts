import type { PassportFile } from '@portico/contracts/passport'
import { UNEXPECTED } from '@portico/shell/failure'
import { section } from './fill-in.samples.ts'
import type { Event } from './upload-file.flow.ts'

export const file: PassportFile = {
  fileUuid: '8d7c6b5a-4938-4271-8605-f4e3d2c1b0a9',
  name: 'Bank statement.pdf',
  bytes: 300_000,
  receivedBytes: 300_000,
  type: 'application/pdf',
  addedAt: 1_893_456_000_000,
  modifiedAt: 1_893_456_000_000,
}

export const inputs = [
  { fileUuid: undefined, receivedBytes: 0 },
  { fileUuid: file.fileUuid, receivedBytes: 262_144 },
]

export const events: readonly Event[] = [
  { type: 'progressed', fileUuid: file.fileUuid, receivedBytes: 262_144 },
  { type: 'completed', file, section: section(2, '') },
  { type: 'interrupted', failure: UNEXPECTED },
  { type: 'refused', failure: UNEXPECTED },
  { type: 'continued' },
  { type: 'canceled' },
]
