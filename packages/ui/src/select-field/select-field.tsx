import { type ComponentPropsWithoutRef, forwardRef, useId } from 'react'
import field from '../field/field.module.css'
import { controlAttributes, Field, type FieldTexts } from '../field/field.tsx'
import { Select } from '../select/select.tsx'

/** `children` are native `option` elements. */
export type SelectFieldProps = Omit<ComponentPropsWithoutRef<'select'>, 'className' | 'style'> &
  FieldTexts

/** A native select with a label. */
export const SelectField = forwardRef<HTMLSelectElement, SelectFieldProps>(function SelectField(
  { label, hint, error, id, children, ...native },
  ref,
) {
  const ownId = useId()
  const selectId = id ?? ownId
  return (
    <Field id={selectId} label={label} hint={hint} error={error}>
      <Select
        {...native}
        ref={ref}
        {...controlAttributes(selectId, { hint, error })}
        className={field.control}
      >
        {children}
      </Select>
    </Field>
  )
})
