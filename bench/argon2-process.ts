// The baseline of the password sign-in: only argon2id, with the parameters of a stored hash.
import { performance } from 'node:perf_hooks'
import { verify } from '@node-rs/argon2'
import type { Hashing, HashingOutcome } from './argon2.ts'
import { spread } from './spread.ts'

process.on('message', (task: Hashing) => {
  void (task.perSecond === undefined ? atFullSpeed(task) : atRate(task, task.perSecond)).then(
    (outcome) => process.send?.(outcome),
  )
})
process.once('SIGTERM', () => process.exit(0))
process.once('disconnect', () => process.exit(0))
process.send?.({ ready: true })

async function atFullSpeed({ hash, password, concurrency, settlingMs = 0, forMs }: Hashing) {
  if (settlingMs > 0) await hashFor({ hash, password, concurrency, forMs: settlingMs })
  const atStart = process.cpuUsage()
  const latencies = await hashFor({ hash, password, concurrency, forMs })
  return outcome(latencies, latencies.length / (forMs / 1000), atStart)
}

/** Hashes for the given time and returns each duration. */
async function hashFor({ hash, password, concurrency, forMs }: Hashing): Promise<number[]> {
  const begin = performance.now()
  const latencies: number[] = []
  const one = async () => {
    while (performance.now() < begin + forMs) {
      const from = performance.now()
      await check(hash, password)
      if (performance.now() <= begin + forMs) latencies.push(performance.now() - from)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, one))
  return latencies
}

async function atRate({ hash, password, forMs }: Hashing, perSecond: number) {
  const atStart = process.cpuUsage()
  const begin = performance.now()
  const latencies: number[] = []
  const count = Math.floor((forMs / 1000) * perSecond)
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const due = (index * 1000) / perSecond
      await new Promise((resolve) => setTimeout(resolve, due))
      await check(hash, password)
      latencies.push(performance.now() - begin - due)
    }),
  )
  return outcome(latencies, perSecond, atStart)
}

/** The result, with the processor time per hash. */
function outcome(
  latencies: readonly number[],
  perSecond: number,
  atStart: NodeJS.CpuUsage,
): HashingOutcome {
  const { user, system } = process.cpuUsage(atStart)
  const processorMs = (user + system) / 1000 / latencies.length
  return { perSecond, latency: spread(latencies), processorMs }
}

async function check(hash: string, password: string): Promise<void> {
  if (!(await verify(hash, password))) throw new Error('The password is wrong')
}
