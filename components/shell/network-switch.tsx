"use client";

import { usePathname } from "next/navigation";
import { classNames } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";
import type { Network } from "@/lib/network";

/** Test and live: two worlds with the same pages. Goes to the same list of the other one; details stay behind. */
export function NetworkSwitch({ network }: { network: Network }) {
  const pathname = usePathname();
  const [, , ...rest] = pathname.split("/");
  const list = rest.filter((part) => !/^[a-z]+_/.test(part)).join("/");
  return (
    <nav aria-label="Network" className="flex rounded-lg bg-sunken p-0.5 text-[13px]">
      {(["test", "live"] as const).map((name) => (
        <Link
          key={name}
          href={`/${name}${list && `/${list}`}`}
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
