import type { BannerApp } from '@portico/contracts/banner'
import type { PageData } from '@portico/contracts/page-data'
import { branding } from '@portico/rules/branding'
import { Frame } from '@portico/ui/frame'
import type { ReactNode } from 'react'
import { BannerSlot } from './banners/banner-slot.tsx'
import { CompanyNamesContext, companyNames } from './company-names.ts'
import { PageFooter, PageLogos } from './page-brand.tsx'
import { WalletBrandContext } from './wallet-brand.ts'

/** The page frame with the branding of the organization and the label (§1, §2.3). */
export function PageFrame({
  page,
  strip,
  banners,
  coBranded = false,
  children,
}: {
  page: PageData
  strip?: ReactNode
  /** The application whose announcements are shown; none by default. */
  banners?: BannerApp | undefined
  /** For pages that are co-branded with the organization's partner (§2.5). */
  coBranded?: boolean
  children: ReactNode
}) {
  return (
    <Frame
      strip={strip}
      announcements={banners && <BannerSlot app={banners} url={page.bannersUrl} />}
      logo={<PageLogos page={page} coBranded={coBranded} />}
      // Co-branded pages show these disclosures in the footer (§2.5). A custom trust sentence may lack the NMLS number and badge.
      trust={coBranded ? undefined : branding(page.organization).trust}
      licenseInTrust={page.organization.orgMetaData.companyInfo.trustSentence === undefined}
      footer={<PageFooter page={page} coBranded={coBranded} />}
    >
      <WalletBrandContext value={page.wallet}>
        <CompanyNamesContext value={companyNames(page)}>{children}</CompanyNamesContext>
      </WalletBrandContext>
    </Frame>
  )
}
