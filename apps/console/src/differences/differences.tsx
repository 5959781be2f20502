import type { OrganizationDifference } from '@portico/contracts/admin/organizations'
import type * as z from 'zod/mini'
import { Table } from '../list/list.tsx'
import { fieldLabel } from '../organization-fields.ts'
import styles from './differences.module.css'

/** The fields of an organization that differ, before and after. */
export function Differences({
  differences,
  titles = ['Before', 'After'],
}: {
  differences: readonly z.output<typeof OrganizationDifference>[]
  titles?: readonly [string, string]
}) {
  if (differences.length === 0) return <p>Nothing differs.</p>
  return (
    <Table
      label="Differences"
      items={differences}
      keyOf={({ field }) => field}
      columns={[
        { title: 'Field', renderCell: ({ field }) => fieldLabel(field) },
        { title: titles[0], renderCell: ({ before }) => <Value value={before} /> },
        { title: titles[1], renderCell: ({ after }) => <Value value={after} /> },
      ]}
    />
  )
}

function Value({ value }: { value: unknown }) {
  if (value === undefined) return <span className={styles.quiet}>inherited</span>
  if (value === null) return <span className={styles.quiet}>removed</span>
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return <bdi className={styles.value}>{text.length > 300 ? `${text.slice(0, 300)}…` : text}</bdi>
}
