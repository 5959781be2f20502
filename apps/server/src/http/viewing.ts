import type { FastifyRequest } from 'fastify'

/** The person whose pages are viewed, and the operator who views them. */
interface Viewing {
  readonly identityId: string
  readonly operatorId: string
}

const viewings = new WeakMap<FastifyRequest, Viewing>()

/** The operator and the person viewed in a request; undefined in an ordinary session. */
export function viewingOf(request: FastifyRequest): Viewing | undefined {
  return viewings.get(request)
}

export function setViewing(request: FastifyRequest, viewing: Viewing): void {
  viewings.set(request, viewing)
}
