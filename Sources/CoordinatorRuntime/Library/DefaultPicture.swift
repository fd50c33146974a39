// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// The picture of what has none: rooms around one note, drawn for Tutti.
enum DefaultPicture {
  /// Tells this drawing from a later one.
  static let tag = "tutti-default-1"

  /// SVG; square, any size.
  static let svg = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" role="img" aria-label="No artwork">
    <defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1">
    <stop offset="0" stop-color="#3b4252"/><stop offset="1" stop-color="#232936"/>
    </linearGradient></defs>
    <rect width="96" height="96" fill="url(#g)"/>
    <g fill="none" stroke="#8fa3bf" stroke-linecap="round">
    <circle cx="48" cy="48" r="34" stroke-width="1.5" stroke-dasharray="35.6 35.6" opacity=".55"/>
    <circle cx="48" cy="48" r="26" stroke-width="1.5" opacity=".3"/>
    </g>
    <g fill="#8fa3bf"><circle cx="82" cy="48" r="3.2"/><circle cx="31" cy="77.4" r="3.2"/>
    <circle cx="31" cy="18.6" r="3.2"/></g>
    <g fill="#e5ecf6"><ellipse cx="43" cy="59" rx="7.4" ry="5.4" transform="rotate(-18 43 59)"/>
    <path d="M47.6 58V31.5q0-1.2 1.2-.8c3 1.2 9.6 4 11.4 10.4.4 1.6-1 2-1.8.8-1.6-2.6-4.4-4-7.4-4.4V58z"/>
    </g></svg>
    """
}
