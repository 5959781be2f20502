import type * as z from 'zod/mini'

/** The maximum number of errors in a response. An input may cause thousands, and the response must not grow with it. */
const MAX_LISTED_ERRORS = 20
const MAX_ERROR_LENGTH = 200

type Issue = z.core.$ZodIssue

/** Formats validation errors. Full sentences stay as they are; other messages are prefixed with the field. */
export function inputErrors(issues: readonly Issue[]): string[] {
  return issues
    .flatMap(nearestIssues)
    .slice(0, MAX_LISTED_ERRORS)
    .map(({ path, message }) => {
      const place = path.join('.')
      const error = place === '' || message.startsWith('Please') ? message : `${place}: ${message}`
      return error.slice(0, MAX_ERROR_LENGTH)
    })
}

/** For a union, the errors of the variant that matches best. */
function nearestIssues(issue: Issue): readonly Pick<Issue, 'path' | 'message'>[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue]
  const nearest = issue.errors.reduce((best, variant) =>
    variant.length < best.length ? variant : best,
  )
  return nearest.map(({ path, message }) => ({ path: [...issue.path, ...path], message }))
}
