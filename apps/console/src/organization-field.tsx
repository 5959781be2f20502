import { ALL_ORGANIZATIONS, type Permission } from '@portico/contracts/admin/permissions'
import { SelectField, type SelectFieldProps } from '@portico/ui/select-field'
import { useOperator } from './operator/operator.tsx'

/** Chooses the organization of a new grant or token, or all of them if the operator has the permission for all. */
export function OrganizationField({
  permission,
  ...field
}: Omit<SelectFieldProps, 'children' | 'defaultValue' | 'label'> & { permission: Permission }) {
  const { operator } = useOperator()
  const scope = operator.permissions.find((each) => each.permission === permission)?.scope
  return (
    <SelectField {...field} label="For" defaultValue="">
      <option value="">Choose an organization</option>
      {scope !== undefined && 'all' in scope && (
        <option value={ALL_ORGANIZATIONS}>All organizations, including those added later</option>
      )}
      {operator.organizations.map(({ organizationCode, name }) => (
        <option key={organizationCode} value={organizationCode}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}
