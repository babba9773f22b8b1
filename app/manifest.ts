import type { MetadataRoute } from "next";

/**
 * What a phone needs to put the dashboard on its home screen. iOS gives push messages to sites there alone, and only if
 * they open without the browser's bars.
 */
export default function manifest(): MetadataRoute.Manifest {
  return {
    id: "/",
    name: "Halcyon",
    short_name: "Halcyon",
    description: "Confidential payments.",
    // It leads on to the dashboard of who is signed in.
    start_url: "/sign-in",
    display: "standalone",
    background_color: "#fafaf8",
    theme_color: "#0b6e5f",
    icons: [
      { src: "/icon.svg", sizes: "any", type: "image/svg+xml" },
      { src: "/apple-icon.png", sizes: "180x180", type: "image/png" },
    ],
  };
}
