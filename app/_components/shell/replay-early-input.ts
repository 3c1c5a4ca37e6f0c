/** Sent to the window once the page's controls answer. */
export const hydratedEvent = 'parley:page-lives'

/**
 * An inline script in the page's head. It records clicks and inputs before hydration, which
 * would be lost, and replays them in order after it. Links and forms with an action work
 * without scripts and are not recorded. It cannot use its module's scope.
 */
export function replayEarlyInput(lives: string): void {
  type Filled = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
  const acts = new Set<HTMLButtonElement | Filled>()
  const note = (control: HTMLButtonElement | Filled) => {
    acts.delete(control)
    acts.add(control)
  }
  function onClick(event: MouseEvent) {
    const button = event.target instanceof Element ? event.target.closest('button') : null
    if (!button || (button.type === 'submit' && button.form?.hasAttribute('action'))) return
    // No other handler may handle it too. A second click would close what the first one opened.
    event.preventDefault()
    event.stopPropagation()
    note(button)
  }
  function onInput(event: Event) {
    const { target } = event
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) note(target)
  }
  // React ignores a value that is already set. Reset the control through its native setter, and fill it in again.
  function fill(control: Filled) {
    if (control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio')) {
      if (control.checked === control.defaultChecked) return
      control.checked = !control.checked
      control.click()
      return
    }
    if (control instanceof HTMLSelectElement || control.type === 'file') {
      control.dispatchEvent(new Event('change', { bubbles: true }))
      return
    }
    const { value } = control
    control.value = ''
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, value)
    control.dispatchEvent(new Event('input', { bubbles: true }))
  }
  addEventListener('click', onClick, true)
  addEventListener('input', onInput, true)
  addEventListener(
    lives,
    () => {
      removeEventListener('click', onClick, true)
      removeEventListener('input', onInput, true)
      for (const control of acts)
        if (control instanceof HTMLButtonElement) control.click()
        else fill(control)
    },
    { once: true },
  )
}
