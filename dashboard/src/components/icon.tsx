/** Path data on a grid of 24: the drawings of Tabler Icons (https://tabler.io/icons), whose license is in dashboard/NOTICE. */
import drawings from './icons.json'

interface Props {
  name: IconName
  /** In pixels, at the usual size of text. */
  size?: number
  /** The width of its lines, on a grid of 24. */
  stroke?: number
}

/** A drawing beside words, and therefore hidden from screen readers. */
export function Icon({ name, size = 24, stroke = 2 }: Props) {
  return (
    <svg
      aria-hidden="true"
      width={`${size / 16}rem`}
      height={`${size / 16}rem`}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      style={{ flex: 'none' }}
    >
      <path d={drawings[name]} />
    </svg>
  )
}

export type IconName = keyof typeof drawings
