/** Reacts when the user signs in or out in another tab, or elsewhere. */
import { openBrowserSession } from '@portico/sdk/browser'

const user = document.documentElement.dataset['user'] || null

openBrowserSession({ user }).subscribe((now) => {
  if (now === null) location.replace('/?signIn=ended')
  else location.reload()
})

// A second press of a button is ignored until the server answers.
document.addEventListener('submit', (event) => {
  if (!(event.target instanceof HTMLFormElement)) return
  if (event.target.ariaBusy === 'true') event.preventDefault()
  event.target.ariaBusy = 'true'
})
addEventListener('pageshow', () => {
  for (const form of document.forms) form.ariaBusy = null
})
