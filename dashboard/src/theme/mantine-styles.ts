/**
 * The styles of Mantine's components on the first page, in Mantine's order; those of all others are in
 * overlay-styles.ts. Importing all that Mantine has would add 20 kB to the first visit. Add the styles of a component to
 * one of the two if it renders unstyled. They are in a layer, so that the order in which files load doesn't matter.
 */
import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/global.layer.css'
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/VisuallyHidden.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/Loader.layer.css'
import '@mantine/core/styles/ActionIcon.layer.css'
import '@mantine/core/styles/Group.layer.css'
import '@mantine/core/styles/FloatingIndicator.layer.css'
import '@mantine/core/styles/Alert.layer.css'
import '@mantine/core/styles/Text.layer.css'
import '@mantine/core/styles/Anchor.layer.css'
import '@mantine/core/styles/Button.layer.css'
import '@mantine/core/styles/Code.layer.css'
import '@mantine/core/styles/EmptyState.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import '@mantine/core/styles/Skeleton.layer.css'
import '@mantine/core/styles/Stack.layer.css'
import '@mantine/core/styles/Title.layer.css'
import '@mantine/core/styles/Table.layer.css'
import '@mantine/core/styles/Badge.layer.css'
import '@mantine/core/styles/DataList.layer.css'
import './mantine-overrides.css'
