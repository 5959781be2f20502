/** The browser does not run the worker that solves the check, for example because an extension blocks it. */
export class BotCheckBlocked extends Error {
  override readonly name = 'BotCheckBlocked'
}
