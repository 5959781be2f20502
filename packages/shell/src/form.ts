import type { FieldError } from '@portico/rules/field-errors'
import { type FocusEvent, type InputEvent, type SubmitEvent, useRef, useState } from 'react'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

type Values<Name extends string> = Readonly<Record<Name, string>>
type Rules<Name extends string> = Readonly<Record<Name, (values: Values<Name>) => FieldError>>

/**
 * A native form with uncontrolled fields. A field is validated on blur after a change and on submit, never while the
 * user types; an error shown earlier is cleared as soon as the input is valid.
 */
export function useForm<Name extends string>(rules: Rules<Name>) {
  const [errors, setErrors] = useState<Partial<Record<Name, FieldError>>>({})
  const changed = useRef(new Set<Name>())
  const names = Object.keys(rules) as Name[] // The keys of the rules are the names.

  const check = (form: HTMLFormElement, name: Name) => rules[name](valuesOf(form, names))
  const show = (name: Name, error: FieldError) =>
    setErrors((shown) => ({ ...shown, [name]: error }))

  return {
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
    /** Returns a submit handler that calls `onValid`, or shows the errors and focuses the first invalid field. */
    submit: (onValid: (values: Values<Name>) => void) => (event: SubmitEvent<HTMLFormElement>) => {
      event.preventDefault()
      const form = event.currentTarget
      const found = names.map((name) => [name, check(form, name)] as const)
      setErrors(Object.fromEntries(found) as Partial<Record<Name, FieldError>>)
      const wrong = found.find(([, error]) => error !== undefined)
      if (wrong === undefined) onValid(valuesOf(form, names))
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
  return [HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement].some(
    (control) => found instanceof control,
  )
    ? (found as Control) // One of the classes above.
    : undefined
}

/** Focuses a field of the button's form. */
export function focusField({ form }: HTMLButtonElement, name: string): void {
  if (form) inputOf(form, name)?.focus()
}

/** A `ref` that focuses the element when it mounts, for steps the user navigated to. */
export function focusHere(element: HTMLElement | null): void {
  element?.focus()
}
