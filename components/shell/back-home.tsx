"use client";

import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { useNetwork } from "../api/network-context";

/** To the first page of the network. */
export function BackHome() {
  return (
    <Link href={`/${useNetwork()}`} className={buttonClass("primary")}>
      Go to the overview
    </Link>
  );
}
