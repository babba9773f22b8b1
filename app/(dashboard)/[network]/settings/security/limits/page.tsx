import type { Metadata } from "next";
import { owner } from "@/app/(dashboard)/owner";
import { KeyLimitsEdit } from "@/components/settings/key-limits-edit";
import { BackLink } from "@/components/ui/back-link";
import { PageHeader } from "@/components/ui/page-header";
import { readOwnPolicy } from "../read-own-policy";

export const metadata: Metadata = { title: "Limits of your keys" };

/** Sets or edits the account's own policy. The wallet signs the change, so saving needs JavaScript. */
export default async function KeyLimitsPage({ params }: { params: Promise<{ network: string }> }) {
  const { network } = await params;
  const limits = await readOwnPolicy(await owner(network));
  return (
    <>
      <PageHeader
        back={<BackLink href={`/${network}/settings/security`}>Security</BackLink>}
        title={limits ? "Edit limits of your keys" : "Set limits of your keys"}
        description="What your API keys and this browser may pay without your wallet. Changes take effect as soon as you save."
      />
      <KeyLimitsEdit initial={limits} />
    </>
  );
}
