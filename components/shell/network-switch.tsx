"use client";

import { usePathname } from "next/navigation";
import { classNames } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";
import type { Network } from "@/lib/base/network";
import { listOf } from "./list-of";

/**
 * Switches between test and live, two separate networks with the same pages. Opens the same list on the other network;
 * detail pages have no counterpart.
 */
export function NetworkSwitch({ network }: { network: Network }) {
  const list = listOf(usePathname());
  return (
    <nav aria-label="Network" className="flex rounded-lg bg-sunken p-0.5 text-[13px]">
      {(["test", "live"] as const).map((name) => (
        <Link
          key={name}
          href={`/${name}${list}`}
          aria-current={name === network ? "true" : undefined}
          className={classNames(
            "flex h-7 items-center rounded-md px-2.5 capitalize transition-colors pointer-coarse:h-10",
            name !== network && "text-muted hover:text-ink",
            name === network &&
              (name === "live" ? "bg-live-soft font-medium text-live" : "bg-raised font-medium shadow-raised"),
          )}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
