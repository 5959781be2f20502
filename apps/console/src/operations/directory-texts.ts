/** Refused requests of directories in plain words. */
import type {
  DirectoryRefusal,
  DirectoryRefusalReason,
} from '@portico/contracts/admin/directory-refusals'

export const REFUSAL_TEXTS: Readonly<Record<DirectoryRefusalReason, string>> = {
  invalidSyntax: 'The message is not valid JSON, or lacks its operations.',
  invalidPath: 'The path of a change is not supported.',
  invalidValue: 'The value is missing, too long, unknown or of another type.',
  invalidFilter: 'The search is not supported. It must compare by eq, joined by and.',
  noTarget: 'A removal does not name an attribute.',
  uniqueness: 'Another one already has this name.',
  tooMany: 'The answer would have too many members.',
  invalidCursor: 'The position in the list is not valid.',
  expiredCursor: 'The list was read too slowly, and must be read again.',
  invalidCount: 'The number of results is not valid.',
  notFound: 'It does not exist, or no longer.',
  full: 'The directory has the maximum number of people or groups.',
  tooLarge: 'The message is too large.',
  other: 'It is not supported.',
}

/** What was applied although the rest was refused. */
export const DEPARTURE_TEXTS: Readonly<Record<DirectoryRefusal['resource'], string>> = {
  Users: 'The person was deactivated all the same.',
  Groups: 'The members to remove were removed all the same.',
  other: '',
}

export function requestText(
  method: DirectoryRefusal['method'],
  resource: DirectoryRefusal['resource'],
): string {
  if (method === 'other' || resource === 'other') return 'Another request'
  return REQUEST_TEXTS[resource][method]
}

const REQUEST_TEXTS = {
  Users: {
    GET: 'Read people',
    POST: 'Add a person',
    PUT: 'Replace a person',
    PATCH: 'Change a person',
    DELETE: 'Delete a person',
  },
  Groups: {
    GET: 'Read groups',
    POST: 'Add a group',
    PUT: 'Replace a group',
    PATCH: 'Change a group',
    DELETE: 'Delete a group',
  },
} as const
