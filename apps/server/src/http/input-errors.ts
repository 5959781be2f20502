import type * as z from 'zod/mini'

/** Faults that one refusal names; an input may hold thousands, and its answer must not grow with it. */
const FAULTS_NAMED = 20
const FAULT_LENGTH_MAXIMUM = 200

type Issue = z.core.$ZodIssue

/** What is wrong with an input, in words: whole sentences as they are, others behind the field they are about. */
export function inputErrors(issues: readonly Issue[]): string[] {
  return issues
    .flatMap(ofNearest)
    .slice(0, FAULTS_NAMED)
    .map(({ path, message }) => {
      const place = path.join('.')
      const fault = place === '' || message.startsWith('Please') ? message : `${place}: ${message}`
      return fault.slice(0, FAULT_LENGTH_MAXIMUM)
    })
}

/** Of an input that may take several forms, the faults of the form that it comes nearest to. */
function ofNearest(issue: Issue): readonly Pick<Issue, 'path' | 'message'>[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue]
  const nearest = issue.errors.reduce((best, form) => (form.length < best.length ? form : best))
  return nearest.map(({ path, message }) => ({ path: [...issue.path, ...path], message }))
}
