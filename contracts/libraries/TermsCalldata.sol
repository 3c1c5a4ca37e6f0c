// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IPlanEscrow} from "../interfaces/IPlanEscrow.sol";

/// @title Reads the fields of a plan's terms from calldata
/// @notice The compiler checks the high bits of a field at each read, for about 85 gas. {requireClean} checks all of
///         them once, when a plan is funded. Later calls name the plan by the hash of the same words, so the terms of a
///         funded plan are clean. Before a call knows that the plan is funded, it may read only the hash of the terms.
library TermsCalldata {
    /// @notice Reverts, as the compiler's reading would, if a word holds more than its field can.
    function requireClean(IPlanEscrow.Terms calldata terms) internal pure {
        assembly ("memory-safe") {
            let addresses := or(calldataload(terms), calldataload(add(terms, 0x20)))
            addresses := or(addresses, or(calldataload(add(terms, 0xe0)), calldataload(add(terms, 0x100))))
            addresses := or(addresses, or(calldataload(add(terms, 0x120)), calldataload(add(terms, 0x140))))
            let times := or(calldataload(add(terms, 0x60)), calldataload(add(terms, 0x80)))
            times := or(times, calldataload(add(terms, 0xa0)))
            let dirt := or(shr(160, addresses), shr(40, times))
            dirt := or(dirt, or(shr(96, calldataload(add(terms, 0x40))), shr(16, calldataload(add(terms, 0xc0)))))
            dirt := or(dirt, or(shr(32, calldataload(add(terms, 0x160))), shr(8, calldataload(add(terms, 0x180)))))
            if dirt { revert(0, 0) }
        }
    }

    function getClient(IPlanEscrow.Terms calldata terms) internal pure returns (address client) {
        assembly ("memory-safe") {
            client := calldataload(terms)
        }
    }

    function getToken(IPlanEscrow.Terms calldata terms) internal pure returns (address token) {
        assembly ("memory-safe") {
            token := calldataload(add(terms, 0x20))
        }
    }

    function getTotal(IPlanEscrow.Terms calldata terms) internal pure returns (uint256 total) {
        assembly ("memory-safe") {
            total := calldataload(add(terms, 0x40))
        }
    }

    function getWorkBy(IPlanEscrow.Terms calldata terms) internal pure returns (uint256 workBy) {
        assembly ("memory-safe") {
            workBy := calldataload(add(terms, 0x60))
        }
    }

    function getReviewBy(IPlanEscrow.Terms calldata terms) internal pure returns (uint256 reviewBy) {
        assembly ("memory-safe") {
            reviewBy := calldataload(add(terms, 0x80))
        }
    }

    function getExpiry(IPlanEscrow.Terms calldata terms) internal pure returns (uint256 expiry) {
        assembly ("memory-safe") {
            expiry := calldataload(add(terms, 0xa0))
        }
    }

    function getFeeBps(IPlanEscrow.Terms calldata terms) internal pure returns (uint256 feeBps) {
        assembly ("memory-safe") {
            feeBps := calldataload(add(terms, 0xc0))
        }
    }

    function getFeeTo(IPlanEscrow.Terms calldata terms) internal pure returns (address feeTo) {
        assembly ("memory-safe") {
            feeTo := calldataload(add(terms, 0xe0))
        }
    }

    function getEvaluator(IPlanEscrow.Terms calldata terms) internal pure returns (address evaluator) {
        assembly ("memory-safe") {
            evaluator := calldataload(add(terms, 0x100))
        }
    }

    function getArbitrator(IPlanEscrow.Terms calldata terms) internal pure returns (address arbitrator) {
        assembly ("memory-safe") {
            arbitrator := calldataload(add(terms, 0x120))
        }
    }

    function getAuthorizer(IPlanEscrow.Terms calldata terms) internal pure returns (address authorizer) {
        assembly ("memory-safe") {
            authorizer := calldataload(add(terms, 0x140))
        }
    }

    function getVetoSeconds(IPlanEscrow.Terms calldata terms) internal pure returns (uint256 vetoSeconds) {
        assembly ("memory-safe") {
            vetoSeconds := calldataload(add(terms, 0x160))
        }
    }

    function getOnSilence(IPlanEscrow.Terms calldata terms) internal pure returns (uint256 onSilence) {
        assembly ("memory-safe") {
            onSilence := calldataload(add(terms, 0x180))
        }
    }
}
