// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title The one function of Permit2 that the escrow calls
interface IPermit2 {
    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    struct PermitTransferFrom {
        TokenPermissions permitted;
        uint256 nonce;
        uint256 deadline;
    }

    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    /// @notice Moves `requestedAmount` of the permitted token from `owner` on its signature, which also covers `witness`
    ///         and, as spender, the caller. Each nonce of an owner counts once, in any order.
    function permitWitnessTransferFrom(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external;
}
