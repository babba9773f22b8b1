import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requireWallet } from "@/app/(dashboard)/owner";

export const metadata: Metadata = { title: "Not found" };

/**
 * Every address below a network that no page has: says so in the dashboard's frame. Without this page, someone who is
 * signed in would get the public page, as if they had left their account.
 */
export default async function UnknownPage({ params }: { params: Promise<{ network: string }> }) {
  await requireWallet((await params).network);
  notFound();
}
