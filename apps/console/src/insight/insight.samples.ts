/** Answers for the gallery and tests. */
import type { FunnelAnswer, SeriesAnswer, SeriesQuery } from '@portico/contracts/admin/insight'

const DAY_MS = 86_400_000
const END = Date.UTC(2026, 10, 23)
const DAYS = 28

/** A deterministic weekly pattern. */
const wave = (base: number, phase: number) =>
  Array.from({ length: DAYS }, (_, day) =>
    Math.round(base * (1 + 0.35 * Math.sin(((day + phase) / 7) * 2 * Math.PI) + day / 120)),
  )

const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0)

const line = (name: string, base: number, phase: number) => {
  const [counts, before] = [wave(base, phase), wave(base * 0.9, phase)]
  return { name, counts, before, total: sum(counts), totalBefore: sum(before) }
}

const FUNNEL: FunnelAnswer = {
  steps: [
    { step: 'registration-page', count: 4812, before: 4405 },
    { step: 'registered', count: 3120, before: 3301 },
    { step: 'password-chosen', count: 2874, before: 3010 },
  ],
  reasons: [
    {
      reason: 'code-wrong',
      message: 'The passcode is incorrect. Please check it and try again.',
      count: 918,
      before: 402,
    },
    {
      reason: 'code-expired',
      message: 'The passcode has expired. Please request a new one.',
      count: 240,
      before: 233,
    },
  ],
  countedUntil: END,
}

export const INSIGHT = {
  readFunnel: FUNNEL,
  readSeries: ({ by }: SeriesQuery): SeriesAnswer => ({
    resolution: 'day',
    times: Array.from({ length: DAYS }, (_, day) => END - (DAYS - day) * DAY_MS),
    series:
      by === undefined
        ? [line('', 1320, 0)]
        : [line('FIGURE', 700, 0), line('HARBORLINE', 410, 2), line('NORTHGALE', 90, 4)],
    countedUntil: END,
  }),
}
