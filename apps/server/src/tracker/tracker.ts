/**
 * The tracker: a random ID that a browser keeps for a year. Telemetry uses it to count visits (§3) and experiments to decide
 * consistently (§7.8). It contains no information about the user. Browsers that refuse tracking have none: those that send
 * Global Privacy Control, and those without consent where it is required.
 */
import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookieName, readCookie, usesHttps, writeCookie } from '../http/cookies.ts'

/** Over https the name gets the `__Host-` prefix, like our other cookies. */
const TRACKER_COOKIE = 'portico-tracker'
/** The cookie that the site's own consent dialog sets. */
const CONSENT_COOKIE = 'portico-consent'
const CONSENT_GRANTED = 'granted'
const LIFETIME_S = 365 * 24 * 60 * 60
/** Only our own spelling, so that one browser cannot count as two. */
const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

/** A visitor's browser, until it deletes its cookies. */
export interface Tracker {
  readonly uuid: string
  /** Whether this request created it. */
  readonly fresh: boolean
}

/** Returns a request's tracker, creating it if missing. Undefined if tracking is refused. */
export type TrackerOf = (request: FastifyRequest, reply: FastifyReply) => Tracker | undefined

export function trackers({
  consent,
  publicUrl,
}: {
  readonly consent: 'implied' | 'required'
  readonly publicUrl: string | undefined
}): TrackerOf {
  // The trackers created during requests, so that later calls for the same request return the same one.
  const createdTrackers = new WeakMap<FastifyRequest, Tracker>()
  return (request, reply) => {
    const { cookie } = request.headers
    const secure = usesHttps(publicUrl, request)
    const name = cookieName(TRACKER_COOKIE, secure)
    const sent = readCookie(cookie, name)
    const write = (value: string, maxAgeS: number) =>
      void reply.header('set-cookie', writeCookie(name, value, { secure, maxAgeS }))
    const refused =
      request.headers['sec-gpc'] === '1' ||
      (consent === 'required' && readCookie(cookie, CONSENT_COOKIE) !== CONSENT_GRANTED)
    if (refused) {
      // Deleted, so that consent given later starts with a new tracker.
      if (sent !== undefined) write('', 0)
      return undefined
    }
    const valid = UUID.exec(sent ?? '')?.[0]
    if (valid !== undefined) return { uuid: valid, fresh: false }
    const created = createdTrackers.get(request)
    if (created !== undefined) return created
    const tracker: Tracker = { uuid: randomUUID(), fresh: true }
    createdTrackers.set(request, tracker)
    write(tracker.uuid, LIFETIME_S)
    return tracker
  }
}
