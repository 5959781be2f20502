/** The calls of the admin API. */
export * from '@portico/contracts/admin/audit'
export * from '@portico/contracts/admin/banners'
export * from '@portico/contracts/admin/experiments'
export * from '@portico/contracts/admin/insight'
export * from '@portico/contracts/admin/operators'
export * from '@portico/contracts/admin/organizations'
export * from '@portico/contracts/admin/people'
export * from '@portico/contracts/admin/permissions'
