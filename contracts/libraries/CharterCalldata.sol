// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IPlanEscrow} from "../interfaces/IPlanEscrow.sol";

/// @title Reads a charter's steps and royalties from calldata
/// @notice Reads without the compiler's checks of bounds and high bits. The caller knows that the step exists and that
///         its high bits are zero. {examine} checks each step when the charter is sealed or, in a direct hire, in the
///         same call.
library CharterCalldata {
    /// @dev keccak256(abi.encode(array)) of an empty one, as most charters have it.
    bytes32 private constant NO_ROYALTIES = 0x569e75fc77c1a856f6daaf9e69d8a9566ca34aa47f9133711ce065a571af0cfd;

    /// @notice The positions of a charter's steps and royalties, by its unchecked offsets. The caller compares their
    ///         hash with the signed one, and bytes outside the calldata read as zeros.
    function parts(IPlanEscrow.Charter calldata charter)
        internal
        pure
        returns (IPlanEscrow.Step[] calldata steps, IPlanEscrow.Royalty[] calldata royalties)
    {
        assembly ("memory-safe") {
            let at := add(charter, calldataload(charter))
            steps.length := calldataload(at)
            steps.offset := add(at, 0x20)
            at := add(charter, calldataload(add(charter, 0x20)))
            royalties.length := calldataload(at)
            royalties.offset := add(at, 0x20)
        }
    }

    function payeeAt(IPlanEscrow.Step[] calldata steps, uint256 i) internal pure returns (address payee) {
        assembly ("memory-safe") {
            payee := calldataload(add(steps.offset, shl(6, i)))
        }
    }

    function amountAt(IPlanEscrow.Step[] calldata steps, uint256 i) internal pure returns (uint256 amount) {
        assembly ("memory-safe") {
            amount := calldataload(add(add(steps.offset, shl(6, i)), 0x20))
        }
    }

    /// @notice The sum of all steps, and the index of the first step whose payee is not allowed: zero, this contract,
    ///         `one` or `other`. If all are allowed, the index is the number of steps.
    /// @dev Reverts, as the compiler's reading would, if a payee or amount holds more than its field can. At most 64 steps,
    ///      so that nothing overflows.
    function examine(IPlanEscrow.Step[] calldata steps, address one, address other)
        internal
        view
        returns (uint256 sum, uint256 barred)
    {
        assembly ("memory-safe") {
            let dirt := 0
            let at := steps.offset
            barred := steps.length
            for { let i := 0 } lt(i, steps.length) { i := add(i, 1) } {
                let payee := calldataload(at)
                let amount := calldataload(add(at, 0x20))
                if or(or(iszero(payee), eq(payee, address())), or(eq(payee, one), eq(payee, other))) {
                    barred := i
                    break
                }
                dirt := or(dirt, or(shr(160, payee), shr(96, amount)))
                sum := add(sum, amount)
                at := add(at, 0x40)
            }
            if dirt { revert(0, 0) }
        }
    }

    /// @notice What the steps named by `bits` come to.
    function sumOf(IPlanEscrow.Step[] calldata steps, uint256 bits) internal pure returns (uint256 sum) {
        assembly ("memory-safe") {
            let at := add(steps.offset, 0x20)
            for {} bits { bits := shr(1, bits) } {
                sum := add(sum, mul(and(bits, 1), calldataload(at)))
                at := add(at, 0x40)
            }
        }
    }

    /// @notice What the steps of `payee` come to.
    function sumFor(IPlanEscrow.Step[] calldata steps, address payee) internal pure returns (uint256 sum) {
        assembly ("memory-safe") {
            let at := steps.offset
            for { let end := add(at, shl(6, steps.length)) } lt(at, end) { at := add(at, 0x40) } {
                sum := add(sum, mul(eq(calldataload(at), payee), calldataload(add(at, 0x20))))
            }
        }
    }

    function hash(IPlanEscrow.Step[] calldata steps) internal pure returns (bytes32) {
        uint256 from;
        assembly ("memory-safe") {
            from := steps.offset
        }
        return _hashArray(from, steps.length, 0x40);
    }

    function hash(IPlanEscrow.Royalty[] calldata royalties) internal pure returns (bytes32) {
        if (royalties.length == 0) return NO_ROYALTIES;
        uint256 from;
        assembly ("memory-safe") {
            from := royalties.offset
        }
        return _hashArray(from, royalties.length, 0x60);
    }

    /// @dev keccak256(abi.encode(array)), without decoding the elements. Each is `size` bytes of whole words in
    ///      calldata. A word with dirty high bits has another hash than the clean one, and is refused when the
    ///      element is checked.
    function _hashArray(uint256 from, uint256 length, uint256 size) private pure returns (bytes32 result) {
        assembly ("memory-safe") {
            let start := mload(0x40)
            mstore(start, 0x20)
            mstore(add(start, 0x20), length)
            calldatacopy(add(start, 0x40), from, mul(length, size))
            result := keccak256(start, add(mul(length, size), 0x40))
        }
    }
}
