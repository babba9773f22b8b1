"use server";

import { cookies } from "next/headers";
import { themeOf } from "@/components/ui/theme-of";
import { secureCookies } from "@/lib/http/auth/session-cookie";

/** Stores the form's `theme` in a cookie for a year, so that the server renders it and nothing flashes. */
export async function setTheme(form: FormData): Promise<void> {
  const theme = themeOf(form.get("theme"));
  const options = { path: "/", maxAge: 31_536_000, sameSite: "lax", httpOnly: true, secure: secureCookies() } as const;
  (await cookies()).set("theme", theme ?? "system", options);
}
