import { useFlow } from '@portico/flow/react'
import { Dialog } from '@portico/ui/dialog'
import { useEnvironment } from '../../environment.ts'
import { createFigure } from './create-figure.flow.ts'
import { createFigureServices } from './create-figure.services.ts'
import { CreateFigureView } from './create-figure.view.tsx'

/** `onCreated` receives the new account's address. */
export type CreateFigureProps = {
  supportPhone: string
  onBack: () => void
  onClose: () => void
  onCreated: (address: string) => void
}

/** The modal that names and creates a hosted account (§2.6). */
export function CreateFigure({ supportPhone, onBack, onClose, onCreated }: CreateFigureProps) {
  const environment = useEnvironment()
  const [state, send] = useFlow(createFigure, {
    input: null,
    services: createFigureServices({ ...environment, onCreated }),
    report: environment.reportError,
  })
  return (
    <Dialog open={state.step === 'naming'} title="Give Your Account a Name" onClose={onClose}>
      {state.step === 'naming' && (
        <CreateFigureView state={state} send={send} onBack={onBack} supportPhone={supportPhone} />
      )}
    </Dialog>
  )
}
