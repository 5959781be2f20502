import type { FieldError } from '@portico/rules/field-errors'
import { type FocusEvent, type InputEvent, type SubmitEvent, useRef, useState } from 'react'

/** What can be filled in. */
type Control = HTMLInputElement | HTMLSelectElement

type Values<Name extends string> = Readonly<Record<Name, string>>
type Rules<Name extends string> = Readonly<Record<Name, (values: Values<Name>) => FieldError>>

/**
 * A native form whose fields keep their own values. A field is checked when it is left after a change and when the
 * form is sent, never while it is typed in; only a complaint goes away as soon as it is met.
 */
export function useForm<Name extends string>(rules: Rules<Name>) {
  const [errors, setErrors] = useState<Partial<Record<Name, FieldError>>>({})
  const changed = useRef(new Set<Name>())
  const names = Object.keys(rules) as Name[] // The keys of the rules are the names.

  const check = (form: HTMLFormElement, name: Name) => rules[name](valuesOf(form, names))
  const show = (name: Name, error: FieldError) =>
    setErrors((shown) => ({ ...shown, [name]: error }))

  return {
    /** What a field's component takes. */
    field: (name: Name) => ({
      name,
      error: errors[name],
      onInput({ currentTarget: { form } }: InputEvent<Control>) {
        changed.current.add(name)
        if (form && errors[name] !== undefined && check(form, name) === undefined) {
          show(name, undefined)
        }
      },
      onBlur({ currentTarget: { form } }: FocusEvent<Control>) {
        if (form && changed.current.has(name)) show(name, check(form, name))
      },
    }),
    /** Hears the form's submit: complains at the first field that is wrong, or gives the values. */
    submit: (give: (values: Values<Name>) => void) => (event: SubmitEvent<HTMLFormElement>) => {
      event.preventDefault()
      const form = event.currentTarget
      const found = names.map((name) => [name, check(form, name)] as const)
      setErrors(Object.fromEntries(found) as Partial<Record<Name, FieldError>>)
      const wrong = found.find(([, error]) => error !== undefined)
      if (wrong === undefined) give(valuesOf(form, names))
      else inputOf(form, wrong[0])?.focus()
    },
  }
}

function valuesOf<Name extends string>(
  form: HTMLFormElement,
  names: readonly Name[],
): Values<Name> {
  const entries = names.map((name) => [name, inputOf(form, name)?.value ?? ''])
  return Object.fromEntries(entries) as Values<Name>
}

function inputOf(form: HTMLFormElement, name: string): Control | undefined {
  const found = form.elements.namedItem(name)
  return found instanceof HTMLInputElement || found instanceof HTMLSelectElement ? found : undefined
}

/** Takes the focus to a field of the form that a control belongs to. */
export function focusField({ form }: HTMLButtonElement, name: string): void {
  if (form) inputOf(form, name)?.focus()
}

/** As a `ref`: takes the focus when the element appears, after a step that the person asked for. */
export function focusHere(element: HTMLElement | null): void {
  element?.focus()
}
