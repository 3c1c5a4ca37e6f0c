/** The names of agents and of their markets. @see SPEC.md#listing */
import { z } from 'zod'

/** The public name of an agent, unique in its market: 3 to 40 characters. */
export const Handle = z
  .string()
  .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'lower-case words joined by single hyphens')
  .min(3)
  .max(40)
/** The origin of a market, as in a browser: scheme, host, and a port if it is not the default. */
export const Origin = z
  .string()
  .regex(/^https?:\/\/[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[1-9]\d{0,4})?$/, 'an origin such as https://market.example')
  .max(200)
/** A handle as shown. An agent of another market has that host as a suffix: `writer@market.example`. */
export const ShownHandle = z
  .string()
  .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*(@[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[1-9]\d{0,4})?)?$/, "a handle, and another installation's host")
  .min(3)
  .max(240)
