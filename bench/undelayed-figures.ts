import { type Browser, chromium, type Route } from '@playwright/test'
import { BROWSER_SWITCHES, requireChromium } from '../tools/machine/chromium.ts'
import { type Figure, figure, short } from './figure.ts'
import { fillLoginForm, type Person } from './page-figures.ts'
import { measureAlternately, median } from './pairs.ts'
import { emailOf } from './seeds.ts'
import { aSite } from './sites.ts'
import { runMain } from './start-figures.ts'

const PEOPLE = 200

/** Sign-ins per round: their spread is larger than telemetry's possible cost. */
const WALKS = 3

type Telemetry = (route: Route) => void | Promise<void>

const answering: Telemetry = (route) => route.continue()
const silent: Telemetry = () => {}

/** Sign-in in Chromium, from the press of the button to the dashboard: telemetry that never answers against telemetry that does. */
export async function undelayedFigures(rounds: number): Promise<Figure[]> {
  await using site = await aSite('embedded', PEOPLE)
  await using running = await runMain(site.environment)
  const browser = await chromium.launch({
    executablePath: requireChromium(),
    args: BROWSER_SWITCHES,
  })
  let walked = 0
  const walk = async (telemetry: Telemetry) => {
    const times: number[] = []
    for (let each = 0; each < WALKS; each++) {
      const person = { email: emailOf(walked++ % PEOPLE), password: site.password }
      times.push(await signedIn(browser, running.url, person, telemetry))
    }
    return median(times)
  }
  try {
    await walk(answering)
    const { bare, ours } = await measureAlternately(rounds, {
      bare: () => walk(answering),
      ours: () => walk(silent),
    })
    return [
      figure({
        figure: 'From Log in to the dashboard, telemetry unavailable; available',
        on: 'Chromium',
        ours,
        baseline: bare,
        write: (ms) => `${short(ms)} ms`,
      }),
    ]
  } finally {
    await browser.close()
  }
}

async function signedIn(
  browser: Browser,
  url: string,
  person: Person,
  telemetry: Telemetry,
): Promise<number> {
  const context = await browser.newContext({ baseURL: url })
  try {
    const page = await context.newPage()
    await page.route('**/ft/**', telemetry)
    const request = page.waitForRequest('**/ft/**')
    await fillLoginForm(page, '/auth/login', person)
    // Before telemetry has sent a request, it cannot delay anything.
    await request
    const begin = performance.now()
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.waitForURL('**/dashboard')
    return performance.now() - begin
  } finally {
    await context.close()
  }
}
