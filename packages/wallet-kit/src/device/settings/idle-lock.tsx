import { useCall } from '@portico/shell/use-call'
import { Button } from '@portico/ui/button'
import { CardOption, CardSelect } from '@portico/ui/card-select'
import { IDLE_MINUTES, type IdleMinutes } from '../../device-wallet.ts'
import { FailureNotice } from '../../failure-notice.tsx'
import { Screen } from '../../screen.tsx'
import { useDeviceEnvironment } from '../environment.ts'

export function idleLabel(minutes: IdleMinutes): string {
  return `After ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} without input`
}

/** How long the wallet stays unlocked without input. */
export function IdleLock({ minutes, onDone }: { minutes: IdleMinutes; onDone: () => void }) {
  const { keeper, reportError } = useDeviceEnvironment()
  const { failure, run } = useCall(reportError)
  const choose = (value: string) => {
    const chosen = IDLE_MINUTES.find((each) => String(each) === value)
    if (chosen !== undefined)
      run(
        () => keeper.setIdleMinutes(chosen),
        () => undefined,
      )
  }
  return (
    <Screen title="Lock automatically" actions={<Button onClick={onDone}>Done</Button>}>
      {failure && <FailureNotice failure={failure} />}
      <p>The wallet locks when you have not used it for this long.</p>
      <CardSelect label="Lock after" value={String(minutes)} onChange={choose}>
        {IDLE_MINUTES.map((each) => (
          <CardOption
            key={each}
            value={String(each)}
            title={each === 1 ? '1 minute' : `${each} minutes`}
          />
        ))}
      </CardSelect>
    </Screen>
  )
}
