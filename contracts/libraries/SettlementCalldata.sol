// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IPlanEscrow} from "../interfaces/IPlanEscrow.sol";

/// @title Reads the parts of a settlement from calldata, by its unchecked offsets
/// @notice Reads without the compiler's checks of bounds, which cost about 80 gas each. Bytes outside the calldata read
///         as zeros. The hash of both parts is compared with the signed one, or the signature is empty.
library SettlementCalldata {
    /// @notice May hold more than 64 bits. Those name steps that no charter has: the caller refuses them.
    function getBits(IPlanEscrow.Settlement calldata settlement) internal pure returns (uint256 bits) {
        assembly ("memory-safe") {
            bits := calldataload(add(settlement, 0x240))
        }
    }

    /// @notice Any word but zero accepts, and is signed as the one that accepts.
    function getClose(IPlanEscrow.Settlement calldata settlement) internal pure returns (bool close) {
        assembly ("memory-safe") {
            close := iszero(iszero(calldataload(add(settlement, 0x220))))
        }
    }

    function getCharter(IPlanEscrow.Settlement calldata settlement)
        internal
        pure
        returns (IPlanEscrow.Charter calldata charter)
    {
        assembly ("memory-safe") {
            charter := add(settlement, calldataload(add(settlement, 0x200)))
        }
    }

    function getSignature(IPlanEscrow.Settlement calldata settlement) internal pure returns (bytes calldata signature) {
        assembly ("memory-safe") {
            let at := add(settlement, calldataload(add(settlement, 0x280)))
            signature.length := calldataload(at)
            signature.offset := add(at, 0x20)
        }
    }
}
